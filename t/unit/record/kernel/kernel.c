/*
 * The kernel's reports as records. kernel.txt has the cases: reports are made
 * by hand, and their records are told in words. A thread is its number, `me`
 * or `second`, which are threads of this process.
 */
#define _GNU_SOURCE /* syscall */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "kit/script.h"
#include "record/kernel/record.h"
#include "record/kernel/switch_kit.h"
#include "trace/reader.h"

static struct tr2_kernel_reader reader;
static uint64_t words[4096];
static size_t count;
static int wrong_owners;
static int wrong_texts; /* that have a NUL */

static void put_words(void *owner, const uint64_t *from, size_t more)
{
	wrong_owners += owner != words;
	memcpy(words + count, from, more * sizeof(*from));
	count += more;
}

static bool is_traced(void *context, pid_t pid)
{
	wrong_owners += context != &count;
	return pid == (pid_t)TRACED || pid == getpid();
}

static void begin_reader(void)
{
	memset(&reader, 0, sizeof(reader));
	reader.wants = is_traced;
	reader.context = &count;
	reader.put = put_words;
	reader.owner = words;
	reader.waking = (struct tr2_kernel_point){ 3, 8, 12 };
	reader.enter = (struct tr2_kernel_point){ 4, 8, 0 };
	reader.exit = (struct tr2_kernel_point){ 5, 8, 16 };
	count = 0;
}

/*
 * ---- Threads
 */

static uint32_t second_tid;
static pthread_barrier_t barrier;

static void *run_second(void *unused)
{
	prctl(PR_SET_NAME, "second");
	second_tid = (uint32_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return unused;
}

static uint32_t find_thread(const char *word)
{
	return !strcmp(word, "me")	 ? (uint32_t)getpid()
	       : !strcmp(word, "second") ? second_tid
					 : (uint32_t)script_number(word, 0);
}

static uint32_t find_process(const char *word)
{
	const uint32_t tid = find_thread(word);

	return !*word || strchr("ms", *word)  ? (uint32_t)getpid()
	       : tid >= TRACED && tid < OTHER ? TRACED
					      : tid;
}

/* A number of this process's by its word, to the end of the text. */
static void put_thread(char *text, uint64_t id)
{
	text += strlen(text);
	if (id == second_tid)
		strcpy(text, "second");
	else if (id == (uint64_t)getpid())
		strcpy(text, "me");
	else
		sprintf(text, "%" PRIu64, id);
}

/*
 * ---- Records in words: what a person would be shown of them
 */

static void put_text(char *to, const struct trace_reader_text *text)
{
	wrong_texts += text->len && memchr(text->bytes, '\0', text->len);
	sprintf(to + strlen(to), "%.*s", (int)text->len, text->bytes);
}

static void put_call(char *text, const struct trace_reader_record *record)
{
	const struct trace_reader_arg *arg = record->args;

	put_text(text, &record->category);
	strcat(text, " ");
	put_text(text, &record->name);
	sprintf(text + strlen(text), " %d-%d ", (int)record->time,
		(int)record->end);
	put_thread(text, record->thread.process);
	strcat(text, "/");
	put_thread(text, record->thread.thread);
	strcat(text, " ");
	put_text(text, &arg->name);
	sprintf(text + strlen(text), "=%" PRId64 "%s", arg->value.integer,
		arg->type == FXT_ARG_INT64 ? "" : " ?");
}

static void put_name(char *text, const struct trace_reader_record *record)
{
	strcat(text, record->subtype == FXT_OBJECT_THREAD ? "" : "?");
	put_thread(text, record->id);
	strcat(text, " is ");
	put_text(text, &record->name);
	strcat(text, " ");
	put_text(text, &record->args->name);
	strcat(text, "=");
	put_thread(text, record->args->value.word);
}

static void put_turn(char *text, const struct trace_reader_record *record)
{
	const bool wakes = record->subtype == FXT_SCHED_WAKEUP;

	put_thread(text, record->thread.thread);
	if (!wakes) {
		strcat(text, " to ");
		put_thread(text, record->other.thread);
	}
	sprintf(text + strlen(text), " on %u at %d", record->cpu,
		(int)record->time);
	if (wakes) {
		strcat(text, " ");
		put_text(text, &record->args->name);
		strcat(text, "=");
		put_thread(text, record->args->value.word);
	} else {
		strcat(text, record->state == FXT_STATE_BLOCKED	  ? ""
			     : record->state == FXT_STATE_RUNNING ? " early"
								  : " ?");
	}
}

/* The records so far, which are dropped. */
static const char *take_records(void)
{
	static char text[4096];
	const struct trace_reader_options options = {
		.flags = TRACE_READER_FRAGMENT | TRACE_READER_UNBALANCED,
	};
	struct trace_reader *in = trace_reader_new(&options);
	struct trace_reader_record record;

	*text = '\0';
	trace_reader_feed(in, words, count * sizeof(*words));
	while (trace_reader_next(in, &record) > 0) {
		strcat(text, *text ? "; " : "");
		strcat(text, record.flawed ? "FLAW " : "");
		(record.type == FXT_EVENT	    ? put_call
		 : record.type == FXT_KERNEL_OBJECT ? put_name
						    : put_turn)(text, &record);
	}
	trace_reader_free(in);
	count = 0;
	return text;
}

/*
 * ---- Reports
 */

/* `switch 1000 70000`; `in`: its second report; `cut`: without a byte. */
static const char *report_switch(char **word)
{
	struct switch_report report = make_switch(50);

	report.pid = find_process(word[0]);
	report.tid = find_thread(word[0]);
	report.next_pid = find_process(word[1]);
	report.next = find_thread(word[1]);
	if (!strcmp(word[2], "in"))
		report.header.misc = 0;
	if (!strcmp(word[2], "early"))
		report.header.misc |= PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	tr2_kernel_take(&reader, &report,
			sizeof(report) - !strcmp(word[2], "cut"));
	return NULL;
}

struct sample {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, unused;
	uint32_t size; /* of what follows, according to the kernel */
	uint16_t id;
	uint16_t more[23]; /* the data from the fourth on */
};

/* Its size, and that of its report, may be other ones than the usual. */
static void report_sample(uint16_t point, const char *thread, long time,
			  const int64_t data[2], char **sizes)
{
	struct sample report = {
		.header = { PERF_RECORD_SAMPLE, 0, sizeof(report) },
		.pid = find_process(thread),
		.tid = find_thread(thread),
		.time = (uint64_t)time,
		.cpu = 1,
		.size = (uint32_t)script_number(sizes[0], 24),
		.id = point,
	};

	memcpy(&report.more[3], data, 2 * sizeof(*data));
	if (*sizes[0] && !strcmp(sizes[2], "map"))
		report.header.type = PERF_RECORD_MMAP;
	tr2_kernel_take(&reader, &report,
			(size_t)script_number(sizes[1], sizeof(report)));
}

/* `wake 1000 70000`: the first wakes the other one, for CPU 7. */
static const char *report_wakeup(char **word)
{
	const uint32_t halves[] = { find_thread(word[1]), 7, 0, 0 };
	int64_t data[2];

	memcpy(data, halves, sizeof(data));
	report_sample(3, word[0], 60, data, word + 2);
	return NULL;
}

static int64_t find_call(const char *name)
{
	return !strcmp(name, "read")	     ? SYS_read
	       : !strcmp(name, "write")	     ? SYS_write
	       : !strcmp(name, "close")	     ? SYS_close
	       : !strcmp(name, "exit")	     ? SYS_exit
	       : !strcmp(name, "exit_group") ? SYS_exit_group
					     : script_number(name, 0);
}

/* `enter 1000 read 10`: at that time. */
static const char *report_enter(char **word)
{
	report_sample(4, word[0], script_number(word[2], 60),
		      (int64_t[]){ find_call(word[1]), 0 }, word + 3);
	return NULL;
}

/* `return 1000 read 42 20`: with that result. */
static const char *report_return(char **word)
{
	report_sample(5, word[0], script_number(word[3], 60),
		      (int64_t[]){ find_call(word[1]),
				   script_number(word[2], 0) },
		      word + 4);
	return NULL;
}

/* `sample 9 read`: of another tracepoint. */
static const char *report_other(char **word)
{
	report_sample((uint16_t)script_number(word[0], 0), "1000", 60,
		      (int64_t[]){ find_call(word[1]), 1 }, word + 2);
	return NULL;
}

static const char *report_name(char **word)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[16];
		uint64_t trailer[3];
	} report = { .header = { PERF_RECORD_COMM, 0, sizeof(report) } };

	report.pid = find_process(word[0]);
	report.tid = find_thread(word[0]);
	strcpy(report.name, word[1]);
	tr2_kernel_take(&reader, &report, sizeof(report));
	return NULL;
}

/* `lost 17`; `short TYPE BYTES`: a report of that type that is too short. */
static const char *report_loss(char **word)
{
	struct {
		struct perf_event_header header;
		uint64_t id, count;
	} report = { { PERF_RECORD_LOST, 0, sizeof(report) }, 0, 17 };
	const char *type = word[0];

	report.header.type = !strcmp(type, "switch")
				     ? PERF_RECORD_SWITCH_CPU_WIDE
			     : !strcmp(type, "name")   ? PERF_RECORD_COMM
			     : !strcmp(type, "sample") ? PERF_RECORD_SAMPLE
			     : !strcmp(type, "map")    ? PERF_RECORD_MMAP
						       : PERF_RECORD_LOST;
	tr2_kernel_take(&reader, &report,
			(size_t)script_number(word[1], sizeof(report)));
	return NULL;
}

/* What the kernel calls sched_waking: its id and its other field. */
static const char *set_waking(char **word)
{
	reader.waking.id = (uint16_t)script_number(word[0], 0);
	reader.waking.another = (uint16_t)script_number(word[1], 0);
	return NULL;
}

static const char *tell_dropped(SCRIPT_NONE)
{
	return script_say_number((intmax_t)reader.dropped);
}

static const char *tell_events(SCRIPT_NONE)
{
	return script_say_number((intmax_t)reader.events);
}

/*
 * ---- Formats and names
 */

/* `format TEXT FIELD ANOTHER`: the id, and where the fields are. */
static const char *read_format(char **word)
{
	struct tr2_kernel_point point = { 1, 2, 3 };
	const int error = tr2_kernel_read_format(
		word[0], word[1], *word[2] ? word[2] : NULL, &point);

	if (error)
		return error == -1 && !point.id ? "refused" : "another error";
	return script_say("%u %u %u", point.id, point.field, point.another);
}

static const char *tell_call(char **word)
{
	const char *name = tr2_kernel_syscall_name(
		(uint32_t)script_number(word[0], SYS_close));

	return name ? name : "none";
}

static const char *tell_calls(SCRIPT_NONE)
{
	uint32_t last = 0, odd = 0;
	const char *name;

	for (uint32_t number = 0; number < 100000; number++) {
		name = tr2_kernel_syscall_name(number);
		if (!name)
			continue;
		last = number;
		odd += *name < '_' || *name > 'z' || strlen(name) > 40;
	}
	return script_say("%s, %u are odd",
			  last >= SYS_close && last < 10000 ? "some hundreds"
							    : "too many",
			  odd);
}

static const struct script_verb verbs[] = {
	{ "switch", report_switch }, { "wake", report_wakeup },
	{ "enter", report_enter },   { "return", report_return },
	{ "sample", report_other },  { "rename", report_name },
	{ "report", report_loss },   { "waking-is", set_waking },
	{ "dropped", tell_dropped }, { "events", tell_events },
	{ "format", read_format },   { "name-of", tell_call },
	{ "names", tell_calls },     { NULL, NULL },
};

static void end_case(void)
{
	if (wrong_owners || wrong_texts)
		script_fail("records for their owner, and texts without a NUL",
			    "something is wrong");
}

int main(void)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "first");
	pthread_barrier_init(&barrier, NULL, 2);
	tap_need(!pthread_create(&thread, NULL, run_second, NULL));
	pthread_barrier_wait(&barrier);
	script.rest = take_records;
	script_run(script_read(__FILE__), verbs, begin_reader, end_case);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
	return tap_done();
}
