#include "read/plain/crowd_part.h"

#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/* So many parts of a process's words are compared with those of children. */
#define PARTS_MOST 256

static uint64_t hash_words(const struct tr2_words *words)
{
	return tr2_hash(words->text, tr2_words_measure(words)).a;
}

/* The same in 31 bits. */
static uint32_t hash_short(const struct tr2_words *words)
{
	return (uint32_t)hash_words(words) >> 1 | 1;
}

struct tr2_words tr2_crowd_words(const struct tr2_crowd *crowd, uint32_t line)
{
	const struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);
	const char *text = crowd->texts.bytes + held->at;

	return (struct tr2_words){ text + held->words, text + held->len };
}

/* Divide a hierarchy into its last part, which is returned, and what is before. */
static struct tr2_words cut_leaf(struct tr2_words *hierarchy)
{
	struct tr2_words leaf = *hierarchy;

	leaf.text = leaf.end;
	while (leaf.text > hierarchy->text && leaf.text[-1] != '/')
		leaf.text--;
	hierarchy->end = leaf.text > hierarchy->text ? leaf.text - 1
						     : leaf.text;
	return leaf;
}

/*
 * So many names between the marks are of programs of git. Aliases are none: the
 * same process has another name, too.
 */
static uint8_t count_gits(struct tr2_words words, const char *mark,
			  const char *begin)
{
	size_t len;
	unsigned count = 0;

	while (words.text && count < UINT8_MAX) {
		len = tr2_words_measure(&words);
		count += len && tr2_text_starts(words.text, len, begin) ==
					(*begin != '_');
		words.text = tr2_text_find(words.text, len, mark);
		words.text += words.text ? strlen(mark) : 0;
	}
	return (uint8_t)count;
}

static void note_name(struct tr2_crowd_line *line, struct tr2_words hierarchy)
{
	struct tr2_words leaf, over;

	line->outermost =
		!memchr(hierarchy.text, '/', tr2_words_measure(&hierarchy));
	if (hierarchy.text == hierarchy.end)
		return;
	line->own = hash_words(&hierarchy);
	leaf = cut_leaf(&hierarchy);
	line->above = hash_words(&hierarchy);
	over = cut_leaf(&(struct tr2_words){ hierarchy.text, hierarchy.end });
	if (over.text < over.end && *over.text != '_')
		line->over = hash_short(&over);
	line->gits = count_gits(hierarchy, "/", "_");
	if (leaf.text < leaf.end)
		line->leaf = hash_short(&leaf);
	line->alias = leaf.text < leaf.end && *leaf.text == '_';
}

static void skip_folder(struct tr2_words *words)
{
	for (const char *at = words->text; at < words->end && *at != ' '; at++)
		if (*at == '/')
			words->text = at + 1;
}

/* Quotes and escapes of a shell are passed over: it has removed them. */
static uint64_t hash_bare(struct tr2_words words, struct tr2_buf *memory)
{
	size_t len;

	skip_folder(&words);
	len = tr2_words_measure(&words);
	if (!tr2_text_find(words.text, len, "'") &&
	    !tr2_text_find(words.text, len, "\\"))
		return tr2_hash(words.text, len).a;
	tr2_buf_reset(memory);
	for (const char *at = words.text; at < words.end; at++)
		if (*at != '\'' && *at != '\\')
			tr2_buf_byte(memory, *at);
	tr2_must_hold(memory);
	return tr2_hash(memory->bytes, memory->len).a;
}

/* Returns the words of the part, or none. */
static struct tr2_words find_part(const struct tr2_plain_piece *piece,
				  enum tr2_key key)
{
	const struct tr2_part *part = tr2_parts_find(&piece->parts, key);
	const char *text = piece->event.text + (part ? part->at : 0);

	return (struct tr2_words){ text, text + (part ? part->len : 0) };
}

/* Returns where the words of the line begin; after `cd` a directory does. */
static const char *find_words(const struct tr2_plain_piece *piece)
{
	static const enum tr2_key keys[] = { TR2_KEY_CD, TR2_KEY_ARGV,
					     TR2_KEY_NAME, TR2_KEY_ANCESTRY,
					     TR2_KEY_WORKTREE };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (tr2_parts_find(&piece->parts, keys[i]))
			return find_part(piece, keys[i]).text;
	return piece->event.text + piece->event.len;
}

/* Is the program a hook of a server? */
static bool is_server_hook(const struct tr2_words *argv)
{
	static const char hooks[] = "post-receive post-update pre-receive "
				    "proc-receive push-to-checkout update";
	size_t len = tr2_words_measure(argv);
	const char *end = memchr(argv->text, ' ', len), *name;

	name = tr2_text_program(argv->text,
				end ? (size_t)(end - argv->text) : len, &len);
	return tr2_text_is_among(name, len, hooks);
}

void tr2_crowd_note_words(struct tr2_crowd *crowd, struct tr2_crowd_line *line,
			  const struct tr2_plain_piece *piece)
{
	struct tr2_words words = { find_words(piece),
				   piece->event.text + piece->event.len },
			 argv = find_part(piece, TR2_KEY_ARGV);

	line->words = (uint32_t)(words.text - piece->event.text);
	if (line->is == TR2_IS_START || line->is == TR2_IS_CMD_NAME ||
	    line->is == TR2_IS_CMD_ANCESTRY || line->is == TR2_IS_DEF_REPO)
		line->same = hash_words(&words);
	if (line->is == TR2_IS_CMD_NAME)
		note_name(line, find_part(piece, TR2_KEY_HIERARCHY));
	else if (line->is == TR2_IS_CMD_ANCESTRY)
		line->gits = count_gits(words, " <- ", "git");
	else if (line->is == TR2_IS_START || tr2_is_child_start(line->is))
		line->bare = hash_bare(argv, &crowd->spare);
	line->serves = tr2_is_child_start(line->is)
			       ? is_server_hook(&argv)
			       : tr2_text_find(argv.text,
					       tr2_words_measure(&argv),
					       "receive-pack") != NULL;
	line->quoted = argv.text < argv.end && *argv.text == '\'';
}

bool tr2_crowd_is_direct(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process)
{
	return process->child != TR2_NOBODY &&
	       !tr2_crowd_line(crowd, process->child)->quoted;
}

bool tr2_crowd_say_same(const struct tr2_crowd *crowd, uint32_t one,
			uint32_t other)
{
	const struct tr2_crowd_line *a = tr2_crowd_line(crowd, one);
	const struct tr2_crowd_line *b = tr2_crowd_line(crowd, other);

	return a->is == b->is && a->same == b->same;
}

/* It has no name so far; one that was passed on may be known too early. */
static bool is_nameless(const struct tr2_crowd *crowd,
			const struct tr2_crowd_process *process)
{
	return process->name == TR2_NOBODY ||
	       tr2_crowd_line(crowd, process->name)->told;
}

bool tr2_crowd_are_twins(const struct tr2_crowd *crowd, uint32_t one,
			 uint32_t other)
{
	const struct tr2_crowd_process *a = tr2_crowd_process(crowd, one);
	const struct tr2_crowd_process *b = tr2_crowd_process(crowd, other);

	if (a->name != TR2_NOBODY && b->name != TR2_NOBODY)
		return tr2_crowd_say_same(crowd, a->name, b->name);
	return is_nameless(crowd, a) && is_nameless(crowd, b) &&
	       a->start != TR2_NOBODY && b->start != TR2_NOBODY &&
	       tr2_crowd_say_same(crowd, a->start, b->start);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       tr2_text_is_digit(c) || (c && strchr("_", c)) ||
	       (unsigned char)c > 0x7f;
}

/* Get the next word between blanks, and of it the last name of a path. */
static bool next_part(struct tr2_words *words, struct tr2_words *part)
{
	while (words->text < words->end && !is_letter(*words->text))
		words->text++;
	part->text = words->text;
	while (words->text < words->end && is_letter(*words->text))
		words->text++;
	part->end = words->text;
	return part->text < part->end;
}

/*
 * Append the hashes of the last part of each path, which tells more than the
 * folders before it, and `.git` after it; returns how many.
 */
static uint32_t add_parts(struct tr2_crowd *crowd, uint32_t line, unsigned most)
{
	struct tr2_words words = tr2_crowd_words(crowd, line), word, part, last;
	uint32_t count = 0;
	bool has_slash;

	while (words.text < words.end && count < most) {
		word = words;
		word.end = memchr(words.text, ' ', tr2_words_measure(&words));
		if (!word.end)
			word.end = words.end;
		words.text = word.end + (word.end < words.end);
		has_slash = memchr(word.text, '/', tr2_words_measure(&word));
		for (last.end = NULL; next_part(&word, &part);)
			if (!tr2_text_is(part.text, tr2_words_measure(&part),
					 "git"))
				last = part;
		if (!last.end || !has_slash)
			continue;
		*(uint32_t *)tr2_vec_add(&crowd->parts, sizeof(uint32_t)) =
			(uint32_t)hash_words(&last);
		count++;
	}
	return count;
}

static bool has_part(const uint32_t *parts, uint32_t count, uint32_t part)
{
	for (uint32_t i = 0; i < count; i++)
		if (parts[i] == part)
			return true;
	return false;
}

#define WORDS_MOST 64

/* The hashes of a child's words, which are the last ones. */
struct child_parts {
	uint32_t first, count;
};

static void note_parts(struct tr2_crowd *crowd, uint32_t number)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);

	if (process->parted || process->start == TR2_NOBODY)
		return;
	process->parts = crowd->parts.count;
	process->parted = 1 + add_parts(crowd, process->start, PARTS_MOST);
}

/* Returns which of the child's words the process was started with, too. */
static uint64_t mark_shared(const struct tr2_crowd *crowd, uint32_t number,
			    const struct child_parts *child)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const uint32_t *parts = crowd->parts.items;
	uint64_t marks = 0;

	for (uint32_t i = 0; process->parted && i < child->count; i++)
		if (has_part(parts + process->parts, process->parted - 1,
			     parts[child->first + i]))
			marks |= UINT64_C(1) << i;
	return marks;
}

/*
 * Of several that may have started a child, such as a clone of a submodule
 * beside others, the one may share words with it that none of the others has.
 * Returns it, or TR2_NOBODY.
 */
uint32_t tr2_crowd_choose_by_words(struct tr2_crowd *crowd, uint32_t at,
				   tr2_crowd_may_fn *may)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	const uint32_t count = crowd->alive.count;
	struct child_parts child;
	uint64_t marks, all = UINT64_MAX;
	uint32_t best = TR2_NOBODY;
	bool several = false;

	for (uint32_t i = 0; i < count; i++)
		if (may(crowd, alive[i], at))
			note_parts(crowd, alive[i]);
	child.first = crowd->parts.count;
	child.count = add_parts(crowd, at, WORDS_MOST);
	for (uint32_t i = 0; i < count && all; i++)
		if (may(crowd, alive[i], at))
			all &= mark_shared(crowd, alive[i], &child);
	for (uint32_t i = 0; i < count && !several; i++) {
		if (!may(crowd, alive[i], at))
			continue;
		marks = mark_shared(crowd, alive[i], &child) & ~all;
		several |= marks && best != TR2_NOBODY;
		best = marks ? alive[i] : best;
	}
	crowd->parts.count = child.first;
	return several ? TR2_NOBODY : best;
}

/* Is it the end of a word that may be a name: all of it, or what follows a `-`? */
static void add_calls(struct tr2_crowd *crowd, struct tr2_words word,
		      uint32_t late)
{
	skip_folder(&word);
	for (; word.text < word.end; word.text++) {
		*(uint32_t *)tr2_vec_add(&crowd->parts, sizeof(uint32_t)) =
			hash_short(&word) << 1 | late;
		word.text = memchr(word.text, '-', tr2_words_measure(&word));
		if (!word.text)
			return;
	}
}

/* Append what the command may be called; returns how many names these are. */
static uint32_t find_calls(struct tr2_crowd *crowd, uint32_t start)
{
	struct tr2_words words = tr2_crowd_words(crowd, start), word;
	const uint32_t before = crowd->parts.count;
	unsigned plain = 0, count = 0;
	const char *at;

	for (; words.text < words.end && count < WORDS_MOST;
	     words.text = word.end + 1, count++) {
		word = words;
		at = memchr(word.text, ' ', tr2_words_measure(&word));
		if (at)
			word.end = at;
		plain += word.text < word.end && *word.text != '-';
		add_calls(crowd, word, plain > 2);
	}
	return crowd->parts.count - before;
}

/* Returns 0 if the command is called so, 1 if a later word is it, or 4. */
static unsigned rate_call(struct tr2_crowd *crowd, uint32_t number,
			  uint32_t leaf)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);
	const uint32_t *calls;

	if (!process->calls) {
		process->called = crowd->parts.count;
		process->calls = 1 + find_calls(crowd, process->start);
	}
	calls = (const uint32_t *)crowd->parts.items + process->called;
	for (uint32_t i = 0; i + 1 < process->calls; i++)
		if ((calls[i] & ~UINT32_C(1)) == leaf << 1)
			return calls[i] & 1;
	return 4;
}

unsigned tr2_crowd_rate_words(struct tr2_crowd *crowd, uint32_t number,
			      uint32_t name)
{
	return rate_call(crowd, number, tr2_crowd_line(crowd, name)->leaf);
}

static bool is_below(const struct tr2_crowd_line *below,
		     const struct tr2_crowd_line *above)
{
	return !below->own || !above->own || below->above == above->own;
}

bool tr2_crowd_is_below(struct tr2_crowd *crowd, uint32_t name, uint32_t number)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const struct tr2_crowd_line *below;

	if (name == TR2_NOBODY)
		return true;
	below = tr2_crowd_line(crowd, name);
	if (process->last_name != TR2_NOBODY)
		return is_below(below,
				tr2_crowd_line(crowd, process->last_name));
	if (process->name != TR2_NOBODY)
		return is_below(below, tr2_crowd_line(crowd, process->name));
	return !below->over || process->start == TR2_NOBODY ||
	       rate_call(crowd, number, below->over) < 4;
}
