/* hosts_limits.h - what a host limits, as commands of its life. */
#ifndef UNIT_PROCESS_HOSTS_HOSTS_LIMITS_H
#define UNIT_PROCESS_HOSTS_HOSTS_LIMITS_H

/* `limit files 20`, `size`, `addresses`, `data`: as far as the system lets. */
static void set_limit(char **word)
{
	static const struct {
		const char *name;
		unsigned which;
	} rows[] = { { "files", RLIMIT_NOFILE },
		     { "size", RLIMIT_FSIZE },
		     { "addresses", RLIMIT_AS },
		     { "data", RLIMIT_DATA } };
	struct rlimit limit;
	size_t i = 0;

	while (strcmp(rows[i].name, word[0]))
		i++;
	getrlimit(rows[i].which, &limit);
	limit.rlim_cur = (rlim_t)atol(word[1]);
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	expect_that(!setrlimit(rows[i].which, &limit), "a limit");
}

/* The library has so many descriptors. */
static void expect_ours(char **word)
{
	long count = 0;

	for (int fd = 10; fd < ALL; fd++)
		count += !was_open[fd] && is_open(fd);
	expect_that(count == atol(word[0]), "descriptors of ours");
}

static void take_memory(char **word)
{
	expect_that(malloc((size_t)atol(word[0])) != NULL, "memory");
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MANY_NAMES_KB (1024 * 1024) /* the sanitizer keeps what is freed */
#else
#define MANY_NAMES_KB (16 * 1024)
#endif

/* The C library keeps each value that a variable ever had. */
static void take_many_names(SCRIPT_NONE)
{
	struct rusage first, last;
	const char *name;
	char own[20];

	trace2_cmd_name("first");
	getrusage(RUSAGE_SELF, &first);
	for (int i = 0; i < 60000; i++) {
		snprintf(own, sizeof(own), "name-%d", i);
		trace2_cmd_name(own);
		expect_that(i != 100 || strstr(getenv("GIT_TRACE2_PARENT_NAME"),
					       own),
			    "the name");
	}
	getrusage(RUSAGE_SELF, &last);
	name = getenv("GIT_TRACE2_PARENT_NAME");
	expect_that(name && !*name && getenv("GIT_TRACE2_PARENT_SID"),
		    "no name");
	expect_that(last.ru_maxrss - first.ru_maxrss < MANY_NAMES_KB,
		    "little memory");
}

TRACE2_TIMER(work, "cpu", "work", 1);
TRACE2_COUNTER(things, "cpu", "things", 1);

/* From now on an inexact number, or a denormal one, is fatal. */
static void make_numbers_fatal(SCRIPT_NONE)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__builtin_ia32_ldmxcsr(0);
#endif
}

static void trace_numbers(SCRIPT_NONE)
{
	trace2_thread_start("worker");
	for (int i = 0; i < 50; i++) {
		trace2_timer_start(work);
		trace2_counter_add(things, 7);
		trace2_region_enter("cpu", "region", TRACE2_REPO_NONE);
		trace2_data_intmax("cpu", TRACE2_REPO_NONE, "number", i);
		trace2_region_leave("cpu", "region", TRACE2_REPO_NONE);
		TRACE_INSTANT("cpu", "numbers", TRACE_SCOPE_THREAD, "tenth",
			      TA_DOUBLE(0.1));
		trace2_timer_stop(work);
	}
	trace2_thread_exit();
}

#endif
