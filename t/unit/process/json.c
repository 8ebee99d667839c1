/* JSON values that a program builds; json.txt has the cases. */
#include "kit/memory.h"

#include <math.h>
#include <stdarg.h>

#include "trace2-json.h"
#include "base/json.h"
#include "kit/script.h"

/*
 * What a locale writes in place of the point; "": this is the point. No locale
 * but C needs to be there. A compiler that adds checks calls another function.
 */
static const char *point = "";
static bool is_our_point;
static char locales[8]; /* while a double is put */

int snprintf(char *out, size_t size, const char *format, ...)
{
	char text[512], *at;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	at = *point ? strchr(text, '.') : NULL;
	if (at) {
		const size_t more = strlen(point) - 1;

		memmove(at + 1 + more, at + 1, strlen(at));
		memcpy(at, point, 1 + more);
		len += (int)more;
		is_our_point = true;
	}
	if (size) {
		strncpy(out, text, size - 1);
		out[size - 1] = '\0';
	}
	return len;
}

static struct trace2_json json = TRACE2_JSON_INIT;

/* `-` is no key, and no text. */
static const char *text_of(const char *word)
{
	return strcmp(word, "-") ? word : NULL;
}

static const char *begin_object(char **word)
{
	trace2_json_begin_object(&json, text_of(word[0]));
	return NULL;
}

static const char *begin_array(char **word)
{
	trace2_json_begin_array(&json, text_of(word[0]));
	return NULL;
}

static const char *end_value(SCRIPT_NONE)
{
	trace2_json_end(&json);
	return NULL;
}

static const char *put_string(char **word)
{
	trace2_json_string(&json, text_of(word[0]), text_of(word[1]));
	return NULL;
}

/* `least` is the least number. */
static const char *put_int(char **word)
{
	trace2_json_int(&json, text_of(word[0]),
			strcmp(word[1], "least") ? script_number(word[1], 0)
						 : INTMAX_MIN);
	return NULL;
}

static const char *put_bool(char **word)
{
	trace2_json_bool(&json, text_of(word[0]),
			 (int)script_number(word[1], 0));
	return NULL;
}

static const char *put_null(char **word)
{
	trace2_json_null(&json, text_of(word[0]));
	return NULL;
}

/* `double KEY NUMBER DECIMALS`; so many as it needs without them. */
static const char *put_double(char **word)
{
	point = locales;
	trace2_json_double(&json, text_of(word[0]), strtod(word[1], NULL),
			   (int)script_number(word[2], -1));
	point = "";
	return NULL;
}

static const char *put_value(char **word)
{
	trace2_json_value(&json, text_of(word[0]), text_of(word[1]));
	return NULL;
}

static const char *tell_text(SCRIPT_NONE)
{
	return trace2_json_text(&json);
}

static const char *tell_length(SCRIPT_NONE)
{
	return script_say_number((intmax_t)strlen(trace2_json_text(&json)));
}

static const char *is_complete(SCRIPT_NONE)
{
	return script_say_yes(trace2_json_is_complete(&json));
}

/* Is what was built JSON, as the library reads it? */
static const char *is_json(SCRIPT_NONE)
{
	return script_say_yes(tr2_json_is_value(trace2_json_text(&json)));
}

static const char *release_value(SCRIPT_NONE)
{
	trace2_json_release(&json);
	return NULL;
}

/* What the locale writes from now on, to the end of the case. */
static const char *set_point(char **word)
{
	strcpy(locales, word[0]);
	return NULL;
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "object", begin_object }, { "array", begin_array },
	{ "end", end_value }, { "string", put_string }, { "int", put_int },
	{ "bool", put_bool }, { "null", put_null }, { "double", put_double },
	{ "value", put_value }, { "text", tell_text },
	{ "length", tell_length }, { "complete", is_complete },
	{ "is-json", is_json }, { "release", release_value },
	{ "point", set_point }, { "memory", fail_memory }, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	*locales = '\0';
	memory_fail(0);
	trace2_json_release(&json);
	if (memory_live)
		script_fail("all memory given back", "not all");
}

int main(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	if (!is_our_point)
		tap_skip("the point of a locale", "snprintf is another");
	return tap_done();
}
