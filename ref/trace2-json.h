/*
 * trace2-json.h - build the JSON value of a data_json event, so that a
 * program need not escape texts by hand:
 *
 *	struct trace2_json json = TRACE2_JSON_INIT;
 *
 *	trace2_json_begin_object(&json, NULL);
 *	trace2_json_string(&json, "path", path);
 *	trace2_json_begin_array(&json, "sizes");
 *	trace2_json_int(&json, NULL, 3);
 *	trace2_json_end(&json);
 *	trace2_json_end(&json);
 *	trace2_data_json("index", repo, "read", trace2_json_text(&json));
 *	trace2_json_release(&json);
 *
 * These statements apply to every call:
 *
 * - The text is always one JSON value on one line, whatever the calls are: a
 *   call that does not fit does nothing (a second value after the first one
 *   is complete, an end without a begin).
 * - `key` is the name of the value inside an object; there NULL means "".
 *   Everywhere else the call ignores it. A call does not look for a key that
 *   repeats; trace2_data_json() then writes the text as a string.
 * - Bytes that are not UTF-8 become U+FFFD. NULL for a text means "".
 * - The calls work whether tracing is on or off: a program that builds large
 *   values asks trace2_is_enabled() first. They keep errno. If memory fails,
 *   trace2_json_text() returns "null".
 * - A value belongs to one thread at a time.
 *
 * If TRACE2_DISABLE is defined, the calls compile to nothing.
 */
#ifndef TRACE2_JSON_H
#define TRACE2_JSON_H

#include <stdint.h>

#include "trace2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Initialize it to TRACE2_JSON_INIT; the library owns what is inside. */
struct trace2_json {
	void *state_;
};

#define TRACE2_JSON_INIT \
	{                \
		NULL     \
	}

/* Begin an object or an array. They nest. */
TRACE2_API void trace2_json_begin_object(struct trace2_json *json,
					 const char *key);
TRACE2_API void trace2_json_begin_array(struct trace2_json *json,
					const char *key);

/* End the innermost object or array that is open. */
TRACE2_API void trace2_json_end(struct trace2_json *json);

/* Add one value. */
TRACE2_API void trace2_json_string(struct trace2_json *json, const char *key,
				   const char *value);
TRACE2_API void trace2_json_int(struct trace2_json *json, const char *key,
				intmax_t value);
TRACE2_API void trace2_json_bool(struct trace2_json *json, const char *key,
				 int value);
TRACE2_API void trace2_json_null(struct trace2_json *json, const char *key);

/*
 * `decimals` is the number of digits after the point, at most 40; if it is
 * negative, as many as the value needs (17 digits in all). The point is always `.`. JSON
 * has no infinity: such a value and NaN become null.
 */
TRACE2_API void trace2_json_double(struct trace2_json *json, const char *key,
				   double value, int decimals);

/*
 * Add a value that is JSON already. If `text` is not one JSON value on one
 * line, it becomes a string.
 */
TRACE2_API void trace2_json_value(struct trace2_json *json, const char *key,
				  const char *text);

/* 1 if a value was begun and nothing is open, else 0. */
TRACE2_API int trace2_json_is_complete(const struct trace2_json *json);

/*
 * Returns the text. Ends first what is still open; the text of no value is
 * "null". It stays valid until the next call for this value.
 */
TRACE2_API const char *trace2_json_text(struct trace2_json *json);

/* Free the memory. The value can then be used for another text. */
TRACE2_API void trace2_json_release(struct trace2_json *json);

#ifdef TRACE2_DISABLE
#define trace2_json_begin_object(json, key) ((void)(json), (void)(key))
#define trace2_json_begin_array(json, key) ((void)(json), (void)(key))
#define trace2_json_end(json) ((void)(json))
#define trace2_json_string(json, key, value) \
	((void)(json), (void)(key), (void)(value))
#define trace2_json_int(json, key, value) \
	((void)(json), (void)(key), (void)(value))
#define trace2_json_bool(json, key, value) \
	((void)(json), (void)(key), (void)(value))
#define trace2_json_null(json, key) ((void)(json), (void)(key))
#define trace2_json_double(json, key, value, decimals) \
	((void)(json), (void)(key), (void)(value), (void)(decimals))
#define trace2_json_value(json, key, text) \
	((void)(json), (void)(key), (void)(text))
#define trace2_json_is_complete(json) ((void)(json), 1)
#define trace2_json_text(json) ((void)(json), "null")
#define trace2_json_release(json) ((void)(json))
#endif

#ifdef __cplusplus
}
#endif
#endif /* TRACE2_JSON_H */
