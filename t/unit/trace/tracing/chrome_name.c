/* Names of files of trace events. */
#include "kit/memory.h"

#include <errno.h>
#include <stdio.h>

#include "kit/tap.h"
#include "trace/tracing/chrome_file.h"
#include "trace/tracing/chrome_name.h"

static void test_patterns(void)
{
	static const struct {
		const char *pattern;
		unsigned rotation;
		bool nested;
		const char *name; /* % for the process */
	} rows[] = {
		{ "a.json", 1, false, "a.json" },
		{ "a.json", 2, false, "a.2.json" },
		{ "a.json", 2, true, "a-%.2.json" },
		{ "a", 3, true, "a-%.3" },
		{ "d.e/a", 2, false, "d.e/a.2" },
		{ "d.e/.a", 2, false, "d.e/.a.2" },
		{ ".a", 2, false, ".a.2" },
		{ "d/a.b", 2, false, "d/a.2.b" },
		{ "/b.c.d", 2, false, "/b.c.2.d" },
		{ "${pid}.j", 2, true, "%.2.j" },
		{ "${rotation}.j", 2, true, "2-%.j" },
		{ "${rotation}.j", 1, false, "1.j" },
		{ "${rotation}${pid}${rotation}", 12, true, "12%12" },
		{ "${pi}${rotatio}$", 1, false, "${pi}${rotatio}$" },
		{ "${pid-${rotation-", 1, false, "${pid-${rotation-" },
		{ "a.${pid}", 2, false, "a.2.%" },
	};
	struct tr2_chrome_file file = { 0 };
	char want[64], pid[16], *name;
	size_t i, len;
	const char *at;
	bool is_right;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		file.pattern = rows[i].pattern;
		file.rotation = rows[i].rotation;
		file.nested = rows[i].nested;
		at = strchr(rows[i].name, '%');
		len = at ? (size_t)(at - rows[i].name) : strlen(rows[i].name);
		snprintf(want, sizeof(want), "%.*s%s%s", (int)len, rows[i].name,
			 at ? pid : "", at ? at + 1 : "");
		name = tr2_chrome_name(&file);
		is_right = name && !strcmp(name, want);
		tr2_host->free(name);
		if (!is_right)
			break;
	}
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"a pattern gets its numbers where they belong");
}

static void test_memory(void)
{
	struct tr2_chrome_file file = { .pattern = "abc", .rotation = 1 };

	memory_fail(1);
	errno = 0;
	tap_ok(!tr2_chrome_name(&file) && errno == ENOMEM,
	       "without memory there is no name");
	memory_fail(0);
	tap_int(memory_live, 0, "no memory of a name is kept");
}

int main(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	test_patterns();
	test_memory();
	return tap_done();
}
