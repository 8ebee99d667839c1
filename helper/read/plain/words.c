#include "read/plain/crowd_part.h"

#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

static uint64_t hash_words(const struct tr2_words *words)
{
	return tr2_hash(words->text, tr2_words_measure(words)).a;
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

/* So many words may be a command's name. */
#define WORDS_MOST 64

static uint64_t mark_word(const char *text, size_t len)
{
	const uint64_t hash = tr2_hash(text, len).a;

	return UINT64_C(1) << hash % 64 | UINT64_C(1) << (hash >> 8) % 64;
}

/* Returns bits for what each word may be called: its end after `-` or a folder. */
static uint64_t mark_calls(const struct tr2_words *words)
{
	const char *at = words->text, *end, *stop = words->end;
	uint64_t calls = 0;

	for (unsigned count = 0; count < WORDS_MOST && at < stop; count++) {
		end = memchr(at, ' ', (size_t)(stop - at));
		if (!end)
			end = stop;
		for (const char *call = at; call < end; call++)
			if (call == at || memchr("-/", call[-1], 2))
				calls |= mark_word(call, (size_t)(end - call));
		at = end + 1;
	}
	return calls;
}

static void note_name(struct tr2_crowd_line *line, struct tr2_words hierarchy)
{
	struct tr2_words leaf;

	line->outermost =
		!memchr(hierarchy.text, '/', tr2_words_measure(&hierarchy));
	if (hierarchy.text == hierarchy.end)
		return;
	line->own = hash_words(&hierarchy);
	leaf = cut_leaf(&hierarchy);
	line->above = hash_words(&hierarchy);
	line->alias = leaf.text < leaf.end && *leaf.text == '_';
	line->calls = mark_word(leaf.text, tr2_words_measure(&leaf));
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

void tr2_crowd_note_words(struct tr2_crowd *crowd, struct tr2_crowd_line *line,
			  const struct tr2_plain_piece *piece)
{
	struct tr2_words words = { find_words(piece),
				   piece->event.text + piece->event.len },
			 argv = find_part(piece, TR2_KEY_ARGV);
	const size_t len = tr2_words_measure(&words);

	line->words = (uint32_t)(words.text - piece->event.text);
	if (line->is == TR2_IS_START || line->is == TR2_IS_CMD_NAME ||
	    line->is == TR2_IS_CMD_ANCESTRY || line->is == TR2_IS_DEF_REPO)
		line->same = hash_words(&words);
	if (line->is == TR2_IS_CMD_NAME)
		note_name(line, find_part(piece, TR2_KEY_HIERARCHY));
	else if (line->is == TR2_IS_CMD_ANCESTRY)
		line->by_git = tr2_text_starts(words.text, len, "git") ||
			       tr2_text_find(words.text, len, " <- git");
	else if (line->is == TR2_IS_START || tr2_is_child_start(line->is))
		line->own = hash_bare(argv, &crowd->spare);
	if (line->is == TR2_IS_START)
		line->calls = mark_calls(&words);
	line->quoted = argv.text < argv.end && *argv.text == '\'';
}

bool tr2_crowd_are_twins(const struct tr2_crowd *crowd, uint32_t one,
			 uint32_t other)
{
	const struct tr2_crowd_process *a = tr2_crowd_process(crowd, one);
	const struct tr2_crowd_process *b = tr2_crowd_process(crowd, other);
	uint32_t first = a->start, second = b->start;

	if (a->name != TR2_NOBODY && b->name != TR2_NOBODY) {
		first = a->name;
		second = b->name;
	}
	return first != TR2_NOBODY && second != TR2_NOBODY &&
	       tr2_crowd_line(crowd, first)->same ==
		       tr2_crowd_line(crowd, second)->same;
}

/* Is it the end of one of the words: all of it, or what follows `-` or a folder? */
static bool has_word(struct tr2_words words, const struct tr2_words *wanted)
{
	const size_t len = tr2_words_measure(wanted);
	const char *end;

	for (unsigned i = 0; i < WORDS_MOST && words.text < words.end; i++) {
		end = memchr(words.text, ' ', tr2_words_measure(&words));
		if (!end)
			end = words.end;
		if ((size_t)(end - words.text) >= len &&
		    !memcmp(end - len, wanted->text, len) &&
		    (end - len == words.text ||
		     memchr("-/", end[-1 - (ptrdiff_t)len], 2)))
			return true;
		words.text = end + (end < words.end);
	}
	return false;
}

bool tr2_crowd_is_called(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process, uint32_t name)
{
	const uint64_t calls = tr2_crowd_line(crowd, process->start)->calls,
		       bits = tr2_crowd_line(crowd, name)->calls;
	struct tr2_words leaf = tr2_crowd_words(crowd, name);
	const char *end;

	if ((calls & bits) != bits)
		return false;
	end = memchr(leaf.text, ' ', tr2_words_measure(&leaf));
	if (end)
		leaf.end = end;
	return has_word(tr2_crowd_words(crowd, process->start), &leaf);
}

/* Get the part of the hierarchy before the last one. */
static struct tr2_words find_over(const struct tr2_crowd *crowd, uint32_t name)
{
	struct tr2_words words = tr2_crowd_words(crowd, name);
	const char *open = memchr(words.text, '(', tr2_words_measure(&words));

	words.text = open ? open + 1 : words.end;
	cut_leaf(&words);
	return cut_leaf(&words);
}

bool tr2_crowd_is_below(const struct tr2_crowd *crowd, uint32_t name,
			const struct tr2_crowd_process *process)
{
	const struct tr2_crowd_line *below, *above;
	struct tr2_words over;

	if (name == TR2_NOBODY)
		return true;
	below = tr2_crowd_line(crowd, name);
	if (process->name != TR2_NOBODY) {
		above = tr2_crowd_line(crowd, process->last_name != TR2_NOBODY
						      ? process->last_name
						      : process->name);
		return below->above == above->own;
	}
	over = find_over(crowd, name);
	return over.text == over.end || *over.text == '_' ||
	       process->start == TR2_NOBODY ||
	       has_word(tr2_crowd_words(crowd, process->start), &over);
}

bool tr2_crowd_is_inside(const struct tr2_crowd *crowd, uint32_t chain,
			 uint32_t child, uint32_t number)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	struct tr2_words own, above;
	const char *arrow;
	size_t more;

	if (process->chain == TR2_NOBODY || chain == TR2_NOBODY)
		return true;
	own = tr2_crowd_words(crowd, chain);
	above = tr2_crowd_words(crowd, process->chain);
	if (tr2_words_measure(&own) <= tr2_words_measure(&above))
		return false;
	more = tr2_words_measure(&own) - tr2_words_measure(&above);
	if (memcmp(own.text + more, above.text, tr2_words_measure(&above)))
		return false;
	arrow = tr2_text_find(own.text, tr2_words_measure(&own), " <- ");
	return child == TR2_NOBODY || tr2_crowd_line(crowd, child)->quoted ||
	       (arrow && (size_t)(arrow - own.text) + 4 == more);
}
