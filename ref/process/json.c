/*
 * JSON values that a program builds (trace2-json.h). The state is allocated
 * with the first value, so that the public struct is one pointer.
 */
#include "trace2-json.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "host/host.h"
#include "base/json.h"
#include "base/real.h"
#include "host/memory.h"

struct json_state {
	struct tr2_buf text;
	struct tr2_buf open; /* what ends each open value: `}` or `]` */
	int has_values;	     /* the innermost one */
};

/* Stands for the state that could not be allocated. */
static const struct json_state no_state;

static struct json_state *find_state(const struct trace2_json *json)
{
	return json->state_ == &no_state ? NULL : json->state_;
}

static struct json_state *make_state(struct trace2_json *json)
{
	struct json_state *state;

	if (json->state_)
		return find_state(json);
	state = tr2_memory_realloc(NULL, sizeof(*state));
	if (state)
		*state = no_state;
	json->state_ = state ? state : (void *)&no_state;
	return state;
}

static int is_complete(const struct json_state *state)
{
	return state->text.len && !state->open.len;
}

static int is_in_object(const struct json_state *state)
{
	return state->open.len && state->open.bytes[state->open.len - 1] == '}';
}

/* Write what stands before a value. NULL: no value fits here. */
static struct json_state *begin_value(struct trace2_json *json, const char *key)
{
	struct json_state *state = make_state(json);

	if (!state || is_complete(state))
		return NULL;
	if (state->has_values)
		tr2_buf_byte(&state->text, ',');
	if (is_in_object(state)) {
		tr2_json_string(&state->text, key ? key : "");
		tr2_buf_byte(&state->text, ':');
	}
	state->has_values = 1;
	return state;
}

static void begin_open(struct trace2_json *json, const char *key, char begin,
		       char end)
{
	struct json_state *state = begin_value(json, key);

	if (!state)
		return;
	tr2_buf_byte(&state->text, begin);
	tr2_buf_byte(&state->open, end);
	state->has_values = 0;
}

static void add_text(struct trace2_json *json, const char *key,
		     const char *text)
{
	struct json_state *state = begin_value(json, key);

	if (state)
		tr2_buf_str(&state->text, text);
}

static void end_innermost(struct json_state *state)
{
	tr2_buf_byte(&state->text, state->open.bytes[--state->open.len]);
	state->has_values = 1;
}

/* Whatever the locale writes in place of the point becomes one point. */
static void restore_point(char *digits)
{
	char *at = digits + strspn(digits, "+-0123456789e");
	size_t len = strcspn(at, "+-0123456789e");

	if (!len)
		return;
	*at = '.';
	memmove(at + 1, at + len, strlen(at + len) + 1);
}

void trace2_json_begin_object(struct trace2_json *json, const char *key)
{
	begin_open(json, key, '{', '}');
}

void trace2_json_begin_array(struct trace2_json *json, const char *key)
{
	begin_open(json, key, '[', ']');
}

void trace2_json_end(struct trace2_json *json)
{
	struct json_state *state = find_state(json);

	if (state && state->open.len)
		end_innermost(state);
}

void trace2_json_string(struct trace2_json *json, const char *key,
			const char *value)
{
	struct json_state *state = begin_value(json, key);

	if (state)
		tr2_json_string(&state->text, value ? value : "");
}

void trace2_json_int(struct trace2_json *json, const char *key, intmax_t value)
{
	struct json_state *state = begin_value(json, key);

	if (state)
		tr2_buf_int(&state->text, value);
}

void trace2_json_bool(struct trace2_json *json, const char *key, int value)
{
	add_text(json, key, value ? "true" : "false");
}

void trace2_json_null(struct trace2_json *json, const char *key)
{
	add_text(json, key, "null");
}

#define DECIMALS_MAX 40
#define WHOLE_MAX 310 /* digits of the largest double, and its sign */

void trace2_json_double(struct trace2_json *json, const char *key, double value,
			int decimals)
{
	const struct tr2_real_state state = tr2_real_begin();
	char digits[WHOLE_MAX + DECIMALS_MAX + 20];

	if (decimals > DECIMALS_MAX)
		decimals = DECIMALS_MAX;
	if (!tr2_real_is_finite(value))
		strcpy(digits, "null");
	else if (decimals < 0)
		snprintf(digits, sizeof(digits), "%.17g", value);
	else
		snprintf(digits, sizeof(digits), "%.*f", decimals, value);
	tr2_real_end(state);
	if (tr2_real_is_finite(value))
		restore_point(digits);
	add_text(json, key, digits);
}

void trace2_json_value(struct trace2_json *json, const char *key,
		       const char *text)
{
	if (text && tr2_json_is_value(text))
		add_text(json, key, text);
	else
		trace2_json_string(json, key, text);
}

int trace2_json_is_complete(const struct trace2_json *json)
{
	const struct json_state *state = find_state(json);

	return state && is_complete(state);
}

const char *trace2_json_text(struct trace2_json *json)
{
	struct json_state *state = find_state(json);

	if (!state)
		return "null";
	while (state->open.len)
		end_innermost(state);
	tr2_buf_byte(&state->text, '\0');
	if (state->text.failed || state->open.failed)
		return "null";
	state->text.len--;
	return state->text.bytes;
}

void trace2_json_release(struct trace2_json *json)
{
	struct json_state *state = find_state(json);

	if (state) {
		tr2_buf_release(&state->text);
		tr2_buf_release(&state->open);
		tr2_host->free(state);
	}
	json->state_ = NULL;
}
