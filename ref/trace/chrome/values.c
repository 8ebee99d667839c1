#include "trace/chrome/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/real.h"

void tr2_put_string(struct tr2_buf *out, struct trace_reader_text text)
{
	tr2_json_text(out, text.bytes, text.len);
}

void tr2_put_hex(struct tr2_buf *out, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";
	int digit = 16;

	tr2_buf_str(out, "0x");
	while (digit > 1 && !(value >> 4 * (digit - 1)))
		digit--;
	while (digit--)
		tr2_buf_byte(out, digits[value >> 4 * digit & 15]);
}

void tr2_put_base64(struct tr2_buf *out, struct trace_reader_text bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *at = (const uint8_t *)bytes.bytes;
	size_t left = bytes.len;
	uint32_t bits;

	for (; left; at += 3, left -= left < 3 ? left : 3) {
		bits = (uint32_t)at[0] << 16;
		if (left > 1)
			bits |= (uint32_t)at[1] << 8;
		if (left > 2)
			bits |= at[2];
		tr2_buf_byte(out, digits[bits >> 18]);
		tr2_buf_byte(out, digits[bits >> 12 & 63]);
		tr2_buf_byte(out, left > 1 ? digits[bits >> 6 & 63] : '=');
		tr2_buf_byte(out, left > 2 ? digits[bits & 63] : '=');
	}
}

/* The program's locale may have another decimal point. */
static void put_number(struct tr2_buf *out, const char *text)
{
	const char *number = "0123456789+-e";
	size_t whole = strspn(text, number);
	const char *rest = text + whole + strcspn(text + whole, number);

	tr2_buf_add(out, text, whole);
	if (text[whole])
		tr2_buf_byte(out, '.');
	tr2_buf_str(out, rest);
}

typedef void put_fn(struct tr2_buf *out, const struct trace_reader_arg *arg);

static void put_int(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	tr2_buf_int(out, arg->value.integer);
}

static void put_uint(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	tr2_buf_uint(out, arg->value.word);
}

/* The short form, if it is the same number. */
static void print_double(char *text, size_t size, double value)
{
	const struct tr2_real_state state = tr2_real_begin();

	snprintf(text, size, "%.15g", value);
	if (tr2_real_bits(strtod(text, NULL)) != tr2_real_bits(value))
		snprintf(text, size, "%.17g", value);
	tr2_real_end(state);
}

static void put_double(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	double value = arg->value.number;
	char text[40];

	if (tr2_real_is_nan(value)) {
		tr2_buf_str(out, "\"NaN\"");
	} else if (!tr2_real_is_finite(value)) {
		tr2_buf_str(out, tr2_real_is_negative(value) ? "\"-Infinity\""
							     : "\"Infinity\"");
	} else {
		print_double(text, sizeof(text), value);
		put_number(out, text);
	}
}

static void put_text(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	tr2_put_string(out, arg->text);
}

static void put_pointer(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	tr2_buf_byte(out, '"');
	tr2_put_hex(out, arg->value.word);
	tr2_buf_byte(out, '"');
}

static void put_koid(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	tr2_buf_str(out, "\"#");
	tr2_buf_uint(out, arg->value.word);
	tr2_buf_byte(out, '"');
}

static void put_bool(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	tr2_buf_str(out, arg->value.word & 1 ? "true" : "false");
}

static void put_blob(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	tr2_buf_byte(out, '"');
	tr2_put_base64(out, arg->text);
	tr2_buf_byte(out, '"');
}

/* All but null. */
static put_fn *const forms[FXT_ARG_TYPES] = {
	[FXT_ARG_INT32] = put_int,	 [FXT_ARG_UINT32] = put_uint,
	[FXT_ARG_INT64] = put_int,	 [FXT_ARG_UINT64] = put_uint,
	[FXT_ARG_DOUBLE] = put_double,	 [FXT_ARG_STRING] = put_text,
	[FXT_ARG_POINTER] = put_pointer, [FXT_ARG_KOID] = put_koid,
	[FXT_ARG_BOOL] = put_bool,	 [FXT_ARG_BLOB] = put_blob,
};

void tr2_put_value(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	/* The type may also be one that nobody knows. */
	if (arg->type < FXT_ARG_TYPES && forms[arg->type])
		forms[arg->type](out, arg);
	else
		tr2_buf_str(out, "null");
}

bool tr2_is_number(const struct trace_reader_arg *arg)
{
	if (arg->type < FXT_ARG_INT32 || arg->type > FXT_ARG_DOUBLE)
		return false;
	return arg->type != FXT_ARG_DOUBLE ||
	       tr2_real_is_finite(arg->value.number);
}

void tr2_put_args(struct tr2_buf *out, const struct trace_reader_record *record)
{
	tr2_buf_byte(out, '{');
	for (unsigned i = 0; i < record->args_count; i++) {
		if (i)
			tr2_buf_byte(out, ',');
		tr2_put_string(out, record->args[i].name);
		tr2_buf_byte(out, ':');
		tr2_put_value(out, &record->args[i]);
	}
	tr2_buf_byte(out, '}');
}

/*
 * Trees
 */

/* Returns the length of what both names begin with, up to the last dot. */
static size_t match_path(struct trace_reader_text one,
			 struct trace_reader_text other)
{
	size_t len = 0;

	for (size_t i = 0; i < one.len && i < other.len; i++) {
		if (one.bytes[i] != other.bytes[i])
			break;
		if (one.bytes[i] == '.')
			len = i + 1;
	}
	return len;
}

/* Returns where the name of the member begins. */
static size_t open_objects(struct tr2_buf *out, struct trace_reader_text name,
			   size_t at)
{
	for (size_t i = at; i < name.len; i++) {
		if (name.bytes[i] != '.')
			continue;
		tr2_put_string(out, (struct trace_reader_text){ name.bytes + at,
								i - at });
		tr2_buf_str(out, ":{");
		at = i + 1;
	}
	return at;
}

static void close_objects(struct tr2_buf *out, struct trace_reader_text name,
			  size_t at)
{
	for (; at < name.len; at++)
		if (name.bytes[at] == '.')
			tr2_buf_byte(out, '}');
}

void tr2_put_arg_tree(struct tr2_buf *out,
		      const struct trace_reader_record *record)
{
	struct trace_reader_text open = { "", 0 }, name;
	size_t at;

	tr2_buf_byte(out, '{');
	for (unsigned i = 0; i < record->args_count; i++) {
		name = record->args[i].name;
		at = match_path(open, name);
		close_objects(out, open, at);
		if (i)
			tr2_buf_byte(out, ',');
		at = open_objects(out, name, at);
		tr2_put_string(out, (struct trace_reader_text){
					    name.bytes + at, name.len - at });
		tr2_buf_byte(out, ':');
		tr2_put_value(out, &record->args[i]);
		open = name;
	}
	close_objects(out, open, 0);
	tr2_buf_byte(out, '}');
}
