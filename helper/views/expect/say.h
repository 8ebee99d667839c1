/* say.h - outcomes in the formats of those who read them. */
#ifndef TR2_EXPECT_SAY_H
#define TR2_EXPECT_SAY_H

#include "views/expect/judge.h"

/* clang-format off */
#define TR2_EXPECT_FORMATS(ROW) \
	ROW(TEXT, "text") \
	ROW(TAP, "tap") \
	ROW(JUNIT, "junit") \
	ROW(MARKDOWN, "markdown")
/* clang-format on */

#define TR2_EXPECT_FORMAT_ENUM(format, ...) TR2_EXPECT_AS_##format,
enum tr2_expect_format { TR2_EXPECT_FORMATS(TR2_EXPECT_FORMAT_ENUM) };

void tr2_expect_say(struct tr2_buf *out, enum tr2_expect_format format,
		    const struct tr2_outcome *outcomes, size_t count);

/* list.c: assertions that hold now, one a line. */
void tr2_expect_list(struct tr2_buf *out, const struct tr2_expect_judge *judge);

#endif
