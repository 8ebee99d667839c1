#include <stdlib.h>

#include "views/archive/logs.h"
#include "base/quote.h"
#include "lib/common/memory.h"
#include "model/words/words.h"

#define COMMON                                                   \
	(TR2_KEY_BIT(TR2_KEY_EVENT) | TR2_KEY_BIT(TR2_KEY_SID) | \
	 TR2_KEY_BIT(TR2_KEY_THREAD) | TR2_KEY_BIT(TR2_KEY_TIME))

static struct tr2_fxt_text plain_text(struct tr2_logs *logs,
				      const struct tr2_value *value)
{
	struct tr2_fxt_text text;

	text.bytes = tr2_parse_text(&logs->record->parse, value,
				    &logs->record->scratch, &text.len);
	return text;
}

/* The bytes of the value as they are in the line. */
static struct tr2_fxt_text raw_text(const struct tr2_logs *logs,
				    const struct tr2_value *value)
{
	struct tr2_fxt_text text = {
		logs->record->parse.text + value->start,
		value->end - value->start,
	};

	return text;
}

/* The words, quoted for a shell, separated by blanks. */
static struct tr2_fxt_text quoted_words(struct tr2_logs *logs,
					const struct tr2_value *list,
					struct tr2_buf *scratch)
{
	struct tr2_buf *word = &logs->record->word;
	size_t token = list->token + 1;

	tr2_buf_reset(scratch);
	while (tr2_words_take(logs->record, &token, word)) {
		if (scratch->len)
			tr2_buf_byte(scratch, ' ');
		tr2_quote_word(scratch, word->bytes);
	}
	return tr2_fxt_text_of(scratch);
}

/* The value as text; for a list, its words, quoted if needed. */
static struct tr2_fxt_text make_text(struct tr2_logs *logs,
				     const struct tr2_value *value,
				     struct tr2_buf *scratch)
{
	if (value->kind == TR2_STRING)
		return plain_text(logs, value);
	if (value->kind == TR2_STRINGS)
		return quoted_words(logs, value, scratch);
	return raw_text(logs, value);
}

/*
 * The text is copied to `scratch`, since the next value that has escapes
 * overwrites the record's own scratch buffer.
 */
struct tr2_fxt_text tr2_logs_key(struct tr2_logs *logs, enum tr2_key key,
				 struct tr2_buf *scratch, const char *otherwise)
{
	struct tr2_fxt_text text = { "", 0 };

	if (tr2_record_has(logs->record, key))
		text = make_text(logs, &logs->record->value[key], scratch);
	if (!text.len)
		text = tr2_fxt_text(otherwise);
	if (text.bytes != scratch->bytes) {
		tr2_buf_reset(scratch);
		tr2_fxt_keep(scratch, text);
	}
	return tr2_fxt_text_of(scratch);
}

/*
 * The values of `data` are strings on the wire, even if they are numbers. One
 * that is exactly an integer's digits becomes an integer, so that viewers can
 * draw it.
 */
static bool put_number_text(struct tr2_logs *logs, struct tr2_fxt_text name,
			    struct tr2_fxt_text text)
{
	char digits[sizeof("-9223372036854775808")], bytes[sizeof(digits)];
	struct tr2_buf shown = TR2_BUF_FIXED(bytes);
	int64_t value;

	if (!text.len || text.len >= sizeof(digits))
		return false;
	memcpy(digits, text.bytes, text.len);
	digits[text.len] = '\0';
	value = strtoll(digits, NULL, 10);
	tr2_buf_int(&shown, value);
	if (shown.len != text.len || memcmp(bytes, digits, text.len) != 0)
		return false;
	tr2_fxt_arg_int(&logs->writer, name, value);
	return true;
}

static void put_value(struct tr2_logs *logs, int key, struct tr2_fxt_text name,
		      const struct tr2_value *value)
{
	struct tr2_fxt_writer *writer = &logs->writer;
	struct tr2_fxt_text text = make_text(logs, value, &logs->value);

	if (tr2_fxt_arg_literal(writer, name, value->kind, text.bytes) ||
	    (value->kind == TR2_STRING && key == TR2_KEY_VALUE &&
	     put_number_text(logs, name, text)))
		return;
	tr2_fxt_arg_text(writer, name, text);
}

/*
 * Walks over the line's own tokens, not the table of known keys, so that
 * unknown keys become arguments, too, in the order of the line.
 */
void tr2_logs_args(struct tr2_logs *logs, uint64_t skipped)
{
	struct tr2_record *record = logs->record;
	struct tr2_parse *parse = &record->parse;
	struct tr2_buf key_text = TR2_BUF_INIT;
	struct tr2_value key, value;
	struct tr2_fxt_text name;
	size_t token = 1;
	int number;

	skipped |= COMMON;
	while (tr2_parse_byte(parse, token) == '"') {
		token = tr2_parse_key(parse, token, &key);
		token = tr2_parse_value(parse, token, &value);
		number = tr2_record_key(record, &key);
		if (number < 0 || !(skipped >> number & 1)) {
			name = plain_text(logs, &key);
			if (parse->escapes) { /* key and value share a buffer */
				tr2_buf_reset(&key_text);
				tr2_fxt_keep(&key_text, name);
				name = tr2_fxt_text_of(&key_text);
			}
			put_value(logs, number, name, &value);
		}
		token += tr2_parse_byte(parse, token) == ',';
	}
	tr2_buf_release(&key_text);
}
