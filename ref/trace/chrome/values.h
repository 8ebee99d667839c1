/* values.h - names and values of an archive's records as text. */
#ifndef TR2_TRACE_CHROME_VALUES_H
#define TR2_TRACE_CHROME_VALUES_H

#include "trace/reader.h"
#include "base/buf.h"

/* Put a JSON string. */
void tr2_put_string(struct tr2_buf *out, struct trace_reader_text text);
/* Put `0x` and lower-case digits. */
void tr2_put_hex(struct tr2_buf *out, uint64_t value);
void tr2_put_base64(struct tr2_buf *out, struct trace_reader_text bytes);

/*
 * Put a JSON value. Types that JSON does not have become strings: pointers
 * `0x1f`, ids of kernel objects `#12`, blobs in base64, `NaN` and `Infinity`.
 */
void tr2_put_value(struct tr2_buf *out, const struct trace_reader_arg *arg);

/* Can JSON represent this as a number? */
bool tr2_is_number(const struct trace_reader_arg *arg);

/* Put the arguments as a JSON object. */
void tr2_put_args(struct tr2_buf *out,
		  const struct trace_reader_record *record);

/*
 * The same, but a name `a.b` is a member `b` of an object `a`, together with
 * those that follow it and begin with `a.` too.
 */
void tr2_put_arg_tree(struct tr2_buf *out,
		      const struct trace_reader_record *record);

#endif
