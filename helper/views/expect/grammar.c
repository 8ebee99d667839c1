#include "views/expect/judge.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/near.h"
#include "cli/options.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"

#define KIND_NAME(kind, name) name,
const char *const tr2_expect_kind_names[] = { TR2_EXPECT_KINDS(KIND_NAME)
						      NULL };

/* In the order of enum tr2_expect_op. */
static const char *const ops[] = { "",	"=",  "!=",   "<", "<=",
				   ">", ">=", "like", NULL };

#define WORDS_MOST 32

struct sentence { /* An assertion on its way from text to struct. */
	struct tr2_assertion *into;
	char *word[WORDS_MOST + 1]; /* ends with NULL */
	bool quoted[WORDS_MOST + 1];
	unsigned count, next;
	struct tr2_buf told; /* what is wrong */
};

static bool refuse_sentence(struct sentence *sentence, const char *what,
			    const char *value)
{
	if (!sentence->told.len) {
		tr2_buf_str(&sentence->told, what);
		if (value)
			tr2_foreign_json(&sentence->told, value);
	}
	return false;
}

/* Take the quotes of a word away. Returns the place after it, or NULL. */
static char *unquote_word(char *at, char *to)
{
	const char quote = *at++;

	for (; *at; *to++ = *at++)
		if (*at == quote && *++at != quote) {
			*to = '\0';
			return at;
		}
	return NULL;
}

static bool split_words(struct sentence *sentence)
{
	char *at = sentence->into->words;

	while (*(at += strspn(at, " \t\r\n"))) {
		const unsigned number = sentence->count++;

		if (number == WORDS_MOST)
			return refuse_sentence(sentence,
					       "it has too many words", NULL);
		sentence->word[number] = at;
		sentence->quoted[number] = *at == '\'' || *at == '"';
		if (sentence->quoted[number])
			at = unquote_word(at, at);
		else
			at += strcspn(at, " \t\r\n");
		if (!at || !strchr(" \t\r\n", *at))
			return refuse_sentence(
				sentence,
				"a quote does not end, or a blank is "
				"missing after it",
				NULL);
		if (*at)
			*at++ = '\0';
	}
	return sentence->count ||
	       refuse_sentence(sentence, "it is empty", NULL);
}

/* The next word, unless it stands in quotes: then it is no word of ours. */
static const char *peek_word(const struct sentence *sentence)
{
	return sentence->next < sentence->count &&
			       !sentence->quoted[sentence->next]
		       ? sentence->word[sentence->next]
		       : "";
}

static bool take_word(struct sentence *sentence, const char *word)
{
	const bool found = !strcmp(peek_word(sentence), word);

	sentence->next += found;
	return found;
}

/* The next word as a value, whatever it is. */
static const char *take_value(struct sentence *sentence, const char *wants)
{
	if (sentence->next == sentence->count) {
		refuse_sentence(sentence, wants, NULL);
		return NULL;
	}
	return sentence->word[sentence->next++];
}

static enum tr2_expect_op take_op(struct sentence *sentence)
{
	const int op = tr2_near_index(ops, peek_word(sentence));

	if (op <= 0)
		return TR2_EXPECT_ANY;
	sentence->next++;
	return (enum tr2_expect_op)op;
}

static bool is_own_word(const char *word)
{
	static const char *const words[] = { "never", "once", "count", "in",
					     NULL };

	return tr2_near_index(words, word) >= 0 ||
	       tr2_near_index(ops, word) > 0;
}

static bool take_kind(struct sentence *sentence)
{
	const char *word = peek_word(sentence);
	const int kind = tr2_near_index(tr2_expect_kind_names, word);
	const char *near = tr2_near_find(tr2_expect_kind_names, word);

	if (kind >= 0) {
		sentence->next++;
		sentence->into->kind = (enum tr2_expect_kind)kind;
		return true;
	}
	refuse_sentence(sentence, "it needs a kind, such as region, not ",
			*word ? word : "");
	if (near) {
		tr2_buf_str(&sentence->told, "; did you mean ");
		tr2_buf_str(&sentence->told, near);
		tr2_buf_byte(&sentence->told, '?');
	}
	return false;
}

static bool is_number(const char *text)
{
	char *end;

	strtod(text, &end);
	return *text && !*end && !strpbrk(text, "xXnN");
}

static bool take_pattern(struct sentence *sentence)
{
	struct tr2_assertion *into = sentence->into;

	if (into->kind == TR2_EXPECT_CHILD && take_word(sentence, "class")) {
		into->value_op = TR2_EXPECT_LIKE;
		into->value = take_value(sentence, "class needs a name");
		if (!into->value)
			return false;
	}
	if (sentence->next == sentence->count ||
	    is_own_word(peek_word(sentence)))
		return true;
	if (into->kind != TR2_EXPECT_EXIT && into->kind != TR2_EXPECT_SIGNAL) {
		into->pattern = sentence->word[sentence->next++];
		return true;
	}
	into->value_op = TR2_EXPECT_EQUAL;
	into->value = sentence->word[sentence->next++];
	return is_number(into->value) ||
	       refuse_sentence(sentence, "it needs a number, not ",
			       into->value);
}

static bool take_value_wanted(struct sentence *sentence)
{
	struct tr2_assertion *into = sentence->into;
	const enum tr2_expect_op op = take_op(sentence);

	if (op == TR2_EXPECT_ANY)
		return true;
	if (into->value)
		return refuse_sentence(sentence, "it has two values", NULL);
	into->value_op = op;
	into->value = take_value(sentence, "a value is missing at its end");
	if (!into->value)
		return false;
	return op < TR2_EXPECT_LESS || op == TR2_EXPECT_LIKE ||
	       is_number(into->value) ||
	       refuse_sentence(sentence,
			       "only a number can be less or more, not ",
			       into->value);
}

static bool read_amount(struct sentence *sentence, const char *text)
{
	struct tr2_assertion *into = sentence->into;
	char *end;

	if (into->measure == TR2_EXPECT_TIME)
		return tr2_cli_read_duration(text, &into->most) ||
		       refuse_sentence(sentence,
				       "it needs a time, such as 20ms, not ",
				       text);
	if (into->measure == TR2_EXPECT_SHARE) {
		const double part = strtod(text, &end);

		into->most = (int64_t)(part * 10000 + 0.5);
		return (!strcmp(end, "%") && end > text && part >= 0 &&
			part <= 100) ||
		       refuse_sentence(sentence, "it needs a percentage, not ",
				       text);
	}
	into->most = strtoll(text, &end, 10);
	return (end > text && !*end && into->most >= 0) ||
	       refuse_sentence(sentence, "count needs a number, not ", text);
}

static bool take_amount(struct sentence *sentence)
{
	struct tr2_assertion *into = sentence->into;
	const char *text;

	into->op = take_op(sentence);
	if (into->op == TR2_EXPECT_ANY || into->op == TR2_EXPECT_LIKE)
		return refuse_sentence(
			sentence, "a comparison such as < is missing", NULL);
	text = take_value(sentence, "it ends before the number");
	return text && read_amount(sentence, text);
}

static bool set_count(struct sentence *sentence, int64_t count)
{
	if (sentence->into->op != TR2_EXPECT_ANY || sentence->into->every)
		return refuse_sentence(sentence, "it says twice how many",
				       NULL);
	sentence->into->op = TR2_EXPECT_EQUAL;
	sentence->into->most = count;
	return true;
}

static bool take_count(struct sentence *sentence)
{
	if (take_word(sentence, "never"))
		return set_count(sentence, 0);
	if (take_word(sentence, "once"))
		return set_count(sentence, 1);
	if (!take_word(sentence, "count"))
		return true;
	return set_count(sentence, 0) && take_amount(sentence);
}

static bool take_end(struct sentence *sentence)
{
	if (take_word(sentence, "in")) {
		sentence->into->scope =
			take_value(sentence, "in needs the name of a command");
		if (!sentence->into->scope)
			return false;
	}
	return sentence->next == sentence->count ||
	       refuse_sentence(sentence, "it has a word too many: ",
			       sentence->word[sentence->next]);
}

static bool take_timed(struct sentence *sentence)
{
	struct tr2_assertion *into = sentence->into;

	into->measure = take_word(sentence, "share") ? TR2_EXPECT_SHARE
						     : TR2_EXPECT_TIME;
	if (!take_kind(sentence))
		return false;
	if (into->kind != TR2_EXPECT_REGION && into->kind != TR2_EXPECT_CHILD &&
	    into->kind != TR2_EXPECT_COMMAND)
		return refuse_sentence(
			sentence,
			"only a region, a child or a command takes time", NULL);
	return take_pattern(sentence) && take_amount(sentence) &&
	       take_end(sentence);
}

/* All processes have an end, so `exit 0` means every one. */
static bool take_counted(struct sentence *sentence)
{
	struct tr2_assertion *into = sentence->into;
	const bool none = take_word(sentence, "no");

	into->every = !none && take_word(sentence, "every");
	if (!take_kind(sentence) || !take_pattern(sentence) ||
	    !take_value_wanted(sentence))
		return false;
	if (into->every && !into->value)
		return refuse_sentence(
			sentence, "every needs a value, such as = 0", NULL);
	if ((none && !set_count(sentence, 0)) || !take_count(sentence))
		return false;
	into->every |= into->kind == TR2_EXPECT_EXIT && into->value &&
		       into->op == TR2_EXPECT_ANY;
	return take_end(sentence);
}

static void complain_about(const struct tr2_assertion *assertion,
			   const struct tr2_buf *told)
{
	struct tr2_buf line = TR2_BUF_INIT;

	tr2_buf_str(&line, "trace2 expect: ");
	if (assertion->file) {
		tr2_foreign_line(&line, assertion->file,
				 strlen(assertion->file));
		tr2_buf_byte(&line, ':');
		tr2_buf_uint(&line, assertion->line);
		tr2_buf_str(&line, ": ");
	}
	tr2_foreign_json(&line, assertion->text);
	tr2_buf_str(&line, ": ");
	tr2_buf_add(&line, told->bytes, told->len);
	tr2_buf_byte(&line, '\n');
	tr2_must_write(&line, stderr);
	tr2_buf_release(&line);
}

bool tr2_assertion_read(struct tr2_assertion *assertion, const char *text)
{
	struct sentence sentence = { .into = assertion };
	bool right;

	assertion->text = tr2_must_copy(text);
	assertion->words = tr2_must_copy(text);
	right = split_words(&sentence) &&
		(take_word(&sentence, "time") ? take_timed(&sentence)
					      : take_counted(&sentence));
	if (!right)
		complain_about(assertion, &sentence.told);
	tr2_buf_release(&sentence.told);
	return right;
}

void tr2_assertion_release(struct tr2_assertion *assertion)
{
	free(assertion->text);
	free(assertion->words);
}

bool tr2_expect_fits(const char *pattern, const char *text)
{
	return !pattern || !fnmatch(pattern, text, 0);
}

bool tr2_expect_fits_command(const char *pattern, const char *command)
{
	char name[256];

	if (tr2_expect_fits(pattern, command))
		return true;
	snprintf(name, sizeof(name), "%s", command);
	name[strcspn(name, "#")] = '\0';
	return tr2_expect_fits(pattern, name) ||
	       (!strncmp(name, "git ", 4) &&
		tr2_expect_fits(pattern, name + 4));
}

#define COMPARE(a, op, b)                        \
	((op) == TR2_EXPECT_EQUAL   ? (a) == (b) \
	 : (op) == TR2_EXPECT_OTHER ? (a) != (b) \
	 : (op) == TR2_EXPECT_LESS  ? (a) < (b)  \
	 : (op) == TR2_EXPECT_MOST  ? (a) <= (b) \
	 : (op) == TR2_EXPECT_MORE  ? (a) > (b)  \
				    : (a) >= (b))

bool tr2_expect_compare(int64_t number, enum tr2_expect_op op, int64_t most)
{
	return COMPARE(number, op, most);
}

bool tr2_expect_has_value(const struct tr2_assertion *assertion,
			  const char *value)
{
	const enum tr2_expect_op op = assertion->value_op;

	if (op == TR2_EXPECT_ANY)
		return true;
	if (op == TR2_EXPECT_LIKE)
		return tr2_expect_fits(assertion->value, value);
	if (!is_number(value) || !is_number(assertion->value))
		return op == TR2_EXPECT_OTHER
			       ? strcmp(value, assertion->value)
			       : op == TR2_EXPECT_EQUAL &&
					 !strcmp(value, assertion->value);
	return COMPARE(strtod(value, NULL), op, strtod(assertion->value, NULL));
}
