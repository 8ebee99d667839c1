#include "trace/agent/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"

void tr2_put_string(struct tr2_buf *out, struct trace_reader_text text)
{
	tr2_buf_byte(out, '"');
	tr2_json_escape(out, text.bytes, text.len);
	tr2_buf_byte(out, '"');
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

static void put_double(struct tr2_buf *out, double value)
{
	char text[40];

	if (isnan(value)) {
		tr2_buf_str(out, "\"NaN\"");
	} else if (isinf(value)) {
		tr2_buf_str(out,
			    signbit(value) ? "\"-Infinity\"" : "\"Infinity\"");
	} else {
		/* use the short form if it is the same number */
		snprintf(text, sizeof(text), "%.15g", value);
		if (strtod(text, NULL) != value)
			snprintf(text, sizeof(text), "%.17g", value);
		put_number(out, text);
	}
}

static void put_blob(struct tr2_buf *out, struct trace_reader_text bytes)
{
	tr2_buf_byte(out, '"');
	tr2_put_base64(out, bytes);
	tr2_buf_byte(out, '"');
}

void tr2_put_value(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_NULL:
		break;
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		tr2_buf_int(out, arg->value.integer);
		return;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
		tr2_buf_uint(out, arg->value.word);
		return;
	case FXT_ARG_DOUBLE:
		put_double(out, arg->value.number);
		return;
	case FXT_ARG_STRING:
		tr2_put_string(out, arg->text);
		return;
	case FXT_ARG_POINTER:
		tr2_buf_byte(out, '"');
		tr2_put_hex(out, arg->value.word);
		tr2_buf_byte(out, '"');
		return;
	case FXT_ARG_KOID:
		tr2_buf_str(out, "\"#");
		tr2_buf_uint(out, arg->value.word);
		tr2_buf_byte(out, '"');
		return;
	case FXT_ARG_BOOL:
		tr2_buf_str(out, arg->value.word & 1 ? "true" : "false");
		return;
	case FXT_ARG_BLOB:
		put_blob(out, arg->text);
		return;
	}
	tr2_buf_str(out, "null"); /* also for a type that is unknown */
}

bool tr2_is_number(const struct trace_reader_arg *arg)
{
	if (arg->type < FXT_ARG_INT32 || arg->type > FXT_ARG_DOUBLE)
		return false;
	return arg->type != FXT_ARG_DOUBLE || isfinite(arg->value.number);
}

void tr2_put_args(struct tr2_buf *out, const struct trace_reader_record *record)
{
	unsigned i;

	tr2_buf_byte(out, '{');
	for (i = 0; i < record->args_count; i++) {
		if (i)
			tr2_buf_byte(out, ',');
		tr2_put_string(out, record->args[i].name);
		tr2_buf_byte(out, ':');
		tr2_put_value(out, &record->args[i]);
	}
	tr2_buf_byte(out, '}');
}
