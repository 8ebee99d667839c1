/*
 * The kernel in a tracing: when it is asked, and what the client is told of
 * it. The kernel is made by hand here.
 */
#define _GNU_SOURCE
#include "lib/files/clock.h"
#include "record/kernel/kernel.h"
#include "kit/trace/manager.h"

struct tr2_kernel {
	struct tr2_archive_source source;
};

static struct tr2_kernel made;
static struct {
	int begun, ended, steps;
	bool calls;    /* system calls were wanted */
	bool one, two; /* the last step: is this process traced? */
	int error;     /* no kernel, for this reason */
	int lacks;     /* only context switches, for this reason */
	bool writes;   /* each step puts a record into the archive */
} fake;

static struct kit kit;
static struct kit_provider one;

struct tr2_kernel *tr2_kernel_begin(uint32_t id, bool calls)
{
	fake.begun++;
	fake.calls = calls;
	errno = fake.error;
	if (fake.error)
		return NULL;
	memset(&made, 0, sizeof(made));
	made.source.id = id;
	strcpy(made.source.name, TR2_KERNEL_NAME);
	return &made;
}

int tr2_kernel_refused(const struct tr2_kernel *kernel)
{
	return kernel == &made ? fake.lacks : -1;
}

void tr2_kernel_step(struct tr2_kernel *kernel, struct tr2_archive *archive,
		     tr2_kernel_wants *wants, void *context)
{
	uint64_t words[5];
	struct fxt_text text = fxt_inline("switch", 6);

	fake.steps++;
	fake.one = wants(context, getpid());
	fake.two = wants(context, 1);
	if (!fake.writes)
		return;
	words[0] = fxt_event_header(FXT_INSTANT, 5, 0, 0, 0, text.ref);
	words[1] = 1000;
	words[2] = words[3] = kernel->source.id;
	fxt_put_text(words + 4, text);
	tr2_archive_put_records(archive, &kernel->source, words, 5);
}

const struct tr2_archive_source *
tr2_kernel_source(const struct tr2_kernel *kernel)
{
	return &kernel->source;
}

void tr2_kernel_end(struct tr2_kernel *kernel)
{
	fake.ended += kernel == &made;
	tr2_archive_source_release(&kernel->source);
}

/* A client that wants the kernel: 1, or 2 with system calls. */
static void initialize_trace(uint32_t wanted)
{
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	kit.archive = ends[0];
	kit.done = -1;
	kit_say(kit.client, TRACE_INITIALIZE_TRACING, 0, wanted, KIT_SIZE, NULL,
		0, ends[1]);
	close(ends[1]);
	kit_run(&kit);
}

static void begin_trace(uint32_t wanted, int error)
{
	memset(&fake, 0, sizeof(fake));
	fake.error = error;
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	initialize_trace(wanted);
}

static void end_trace(void)
{
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	kit_follow(&kit, &one);
	kit_leave(&one);
	kit_close(&kit);
}

static void start_trace(void)
{
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
}

static void stop_trace(void)
{
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
}

/* What the client is told of the kernel, or NULL. */
static const struct kit_result *kernel_result(void)
{
	int i;

	for (i = 0; i < kit.count; i++)
		if (!strcmp(kit.results[i].name, TR2_KERNEL_NAME))
			return &kit.results[i];
	return NULL;
}

static const char *kernel_wrong(void)
{
	return kernel_result() ? kernel_result()->wrong : "(no kernel)";
}

static void test_wanted(void)
{
	begin_trace(1, 0);
	tap_int(fake.begun, 0, "the kernel does not begin before the start");
	start_trace();
	tap_int(fake.begun, 1, "the kernel begins with the start");
	tap_ok(!fake.calls, "system calls are not wanted with it");
	tap_ok(made.source.id && made.source.id != one.id,
	       "the kernel has a provider's id of its own");
	tap_ok(fake.one, "a provider's process is traced");
	tap_ok(!fake.two, "another process is not traced");
	stop_trace();
	start_trace();
	tap_int(fake.begun, 1, "a second start goes on with the same kernel");
	stop_trace();
	tap_int(fake.ended, 0, "a stop does not end the kernel");
	end_trace();
	tap_int(fake.ended, 1, "the kernel ends with the tracing");
	tap_str(kernel_wrong(), "", "a kernel that gave all has nothing wrong");
}

static void test_last_look(void)
{
	int steps;

	begin_trace(2, 0);
	start_trace();
	tap_ok(fake.calls, "system calls are wanted");
	steps = fake.steps;
	fake.writes = true;
	stop_trace();
	tap_ok(fake.steps > steps, "the rings are read when tracing stops");
	steps = fake.steps;
	kit_run(&kit);
	end_trace();
	tap_ok(fake.steps <= steps + 1,
	       "after the stop they are read seldom, and not at the end");
	tap_ok(strstr(kit_events(&kit), "switch") != NULL,
	       "what the kernel tells is in the archive");
	tap_ok(kernel_result() && kernel_result()->counts.events >= 1,
	       "the kernel's result counts its events");
}

static void test_refusal(int error, const char *begin_of_reason,
			 const char *why)
{
	char name[128];

	begin_trace(1, error);
	start_trace();
	stop_trace();
	tap_int(fake.steps, 0, kit_text("no step without a kernel: ", why));
	end_trace();
	tap_int(fake.ended, 0, kit_text("no end without a kernel: ", why));
	snprintf(name, sizeof(name), "the client is told: %s", why);
	tap_str(kernel_wrong(), begin_of_reason, name);
}

static void test_refusals(void)
{
	static const char not_allowed[] =
		"skipped: perf_event_open(2) is not allowed here; it needs "
		"root, CAP_PERFMON, or a value of 0 or below in "
		"/proc/sys/kernel/perf_event_paranoid";
	static const char none[] =
		"skipped: this kernel has no perf_event_open(2)";

	test_refusal(EACCES, not_allowed, "access is denied");
	test_refusal(EPERM, not_allowed, "it is not permitted");
	test_refusal(ENOSYS, none, "there is no such call");
	test_refusal(EOPNOTSUPP, none, "it is not supported");
	test_refusal(EMFILE, "skipped: perf_event_open(2) failed",
		     "another failure");
}

static void test_part(int error, const char *wrong, const char *why)
{
	char name[128];

	begin_trace(1, 0);
	fake.lacks = error;
	start_trace();
	stop_trace();
	end_trace();
	snprintf(name, sizeof(name), "a part is missing: %s", why);
	tap_str(kernel_wrong(), wrong, name);
}

static void test_parts(void)
{
	static const char rights[] =
		"only context switches: wakeups and system calls need root, or "
		"CAP_PERFMON and the right to read /sys/kernel/tracing/events";

	test_part(ENOENT,
		  "only context switches: wakeups and system calls need "
		  "tracefs; mount it with `mount -t tracefs none "
		  "/sys/kernel/tracing`",
		  "tracefs is not mounted");
	test_part(EACCES, rights, "tracefs may not be read");
	test_part(EPERM, rights, "tracepoints are not permitted");
	test_part(EINVAL,
		  "only context switches: the kernel refuses other "
		  "tracepoints",
		  "the kernel refuses");
}

int main(void)
{
	tap_run(test_wanted, test_last_look, test_refusals, test_parts);
	return tap_done();
}
