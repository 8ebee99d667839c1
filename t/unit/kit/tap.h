/*
 * tap.h - what a unit program needs to print TAP.
 *
 *	int main(void)
 *	{
 *		tap_ok(1 + 1 == 2, "one and one make two");
 *		tap_str(word(), "abc", "a word keeps its letters");
 *		return tap_done();
 *	}
 */
#ifndef UNIT_KIT_TAP_H
#define UNIT_KIT_TAP_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int tap_count;
static int tap_failed;

/* As make -j does, whoever began the program may have left some open. */
__attribute__((constructor)) static void tap_close_inherited(void)
{
	for (int fd = 3; fd < 32; fd++)
		close(fd);
}

#define tap_ok(condition, name) \
	tap_report((condition) != 0, (name), __FILE__, __LINE__)

static inline int tap_report(int ok, const char *name, const char *file,
			     int line)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tap_count, name);
	if (!ok) {
		tap_failed++;
		printf("# failed at %s:%d\n", file, line);
	}
	fflush(stdout);
	return ok;
}

/* What can't be tried here is seen in the output, with the reason. */
static inline void tap_skip(const char *name, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_count, name, reason);
}

#define tap_int(got, want, name) \
	tap_report_int((got), (want), (name), __FILE__, __LINE__)

static inline int tap_report_int(intmax_t got, intmax_t want, const char *name,
				 const char *file, int line)
{
	int ok = tap_report(got == want, name, file, line);

	if (!ok)
		printf("# want %" PRIdMAX "\n# got  %" PRIdMAX "\n", want, got);
	return ok;
}

/* Two runs of bytes; NULL equals only NULL. */
#define tap_bytes(got, got_len, want, want_len, name)                  \
	tap_report_bytes((got), (got_len), (want), (want_len), (name), \
			 __FILE__, __LINE__)
#define tap_str(got, want, name) \
	tap_report_str((got), (want), (name), __FILE__, __LINE__)

static inline void tap_show(const char *word, const char *bytes, size_t len)
{
	printf("# %s \"", word);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c < 0x20 || c > 0x7e)
			printf("\\x%02x", c);
		else
			putchar(c);
	}
	printf("\"%s\n", bytes ? "" : " (NULL)");
}

static inline int tap_report_bytes(const char *got, size_t got_len,
				   const char *want, size_t want_len,
				   const char *name, const char *file, int line)
{
	int same = !got == !want && got_len == want_len &&
		   (!got_len || !memcmp(got, want, got_len));

	if (tap_report(same, name, file, line))
		return 1;
	tap_show("want", want, want_len);
	tap_show("got ", got, got_len);
	return 0;
}

static inline int tap_report_str(const char *got, const char *want,
				 const char *name, const char *file, int line)
{
	return tap_report_bytes(got, got ? strlen(got) : 0, want,
				want ? strlen(want) : 0, name, file, line);
}

/* Runs tests in turn: tap_run(test_words, test_lines). */
#define tap_run(...) tap_run_all((void (*const[])(void)){ __VA_ARGS__, NULL })

static inline void tap_run_all(void (*const *test)(void))
{
	for (; *test; test++)
		(*test)();
}

/* What a test needs and is not about: without it the program ends here. */
#define tap_need(condition) \
	((condition) ? (void)0 : tap_stop(#condition, __FILE__, __LINE__))

static inline void tap_stop(const char *needed, const char *file, int line)
{
	printf("Bail out! %s:%d needs %s\n", file, line, needed);
	fflush(stdout);
	abort();
}

/* The plan, and the exit code of the program. */
static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
