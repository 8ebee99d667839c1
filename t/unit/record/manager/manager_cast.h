/*
 * manager_cast.h - who takes part in the cases of manager.txt: the manager, its
 * client and providers by their names, and a kernel that is made by hand.
 */
#ifndef UNIT_RECORD_MANAGER_CAST_H
#define UNIT_RECORD_MANAGER_CAST_H

#include "kit/script_system.h"
#include "kit/trace/manager.h"
#include "lib/files/clock.h"
#include "record/kernel/kernel.h"

#define PROVIDERS 80
#define MS UINT64_C(1000000)

static struct kit kit;
static struct named {
	char name[16];
	struct kit_provider one;
} providers[PROVIDERS];
static int buffers;    /* when they were counted */
static uint64_t begun; /* ns */

/*
 * ---- The kernel, in the place of helper/record/kernel
 */

struct tr2_kernel {
	struct tr2_archive_source source;
};

static struct {
	struct tr2_kernel made;
	int begun, ended, steps;
	bool calls;    /* system calls were wanted */
	bool one, two; /* the last step: is this process traced? */
	int error;     /* no kernel, for this reason */
	int lacks;     /* only context switches, for this reason */
	bool writes;   /* each step puts a record into the archive */
} kernel;

struct tr2_kernel *tr2_kernel_begin(uint32_t id, bool calls)
{
	kernel.begun++;
	kernel.calls = calls;
	errno = kernel.error;
	if (kernel.error)
		return NULL;
	memset(&kernel.made, 0, sizeof(kernel.made));
	kernel.made.source.id = id;
	strcpy(kernel.made.source.name, TR2_KERNEL_NAME);
	return &kernel.made;
}

int tr2_kernel_refused(const struct tr2_kernel *made)
{
	return made == &kernel.made ? kernel.lacks : -1;
}

void tr2_kernel_step(struct tr2_kernel *made, struct tr2_archive *archive,
		     tr2_kernel_wants *wants, void *context)
{
	const struct fxt_text text = fxt_inline("switch", 6);
	uint64_t words[5];

	kernel.steps++;
	kernel.one = wants(context, getpid());
	kernel.two = wants(context, 1);
	if (!kernel.writes)
		return;
	words[0] = fxt_event_header(FXT_INSTANT, 5, 0, 0, 0, text.ref);
	words[1] = 1000;
	words[2] = words[3] = made->source.id;
	fxt_put_text(words + 4, text);
	tr2_archive_put_records(archive, &made->source, words, 5);
}

const struct tr2_archive_source *
tr2_kernel_source(const struct tr2_kernel *made)
{
	return &made->source;
}

void tr2_kernel_end(struct tr2_kernel *made)
{
	kernel.ended += made == &kernel.made;
	tr2_archive_source_release(&made->source);
}

/*
 * ---- Names of messages and errors
 */

/* clang-format off */
static const struct {
	const char *name;
	long number;
} names[] = {
	{ "REGISTER", TRACE_REGISTER },
	{ "REGISTER_CATEGORY", TRACE_REGISTER_CATEGORY },
	{ "RENAME", TRACE_RENAME }, { "REGISTERED", TRACE_REGISTERED },
	{ "INITIALIZE", TRACE_INITIALIZE }, { "START", TRACE_START },
	{ "STOP", TRACE_STOP }, { "TERMINATE", TRACE_TERMINATE },
	{ "TERMINATED", TRACE_TERMINATED },
	{ "GET_PROVIDERS", TRACE_GET_PROVIDERS },
	{ "GET_CATEGORIES", TRACE_GET_CATEGORIES },
	{ "INITIALIZE_TRACING", TRACE_INITIALIZE_TRACING },
	{ "START_TRACING", TRACE_START_TRACING },
	{ "STOP_TRACING", TRACE_STOP_TRACING },
	{ "TERMINATE_TRACING", TRACE_TERMINATE_TRACING },
	{ "PROVIDER_IS", TRACE_PROVIDER_IS },
	{ "CATEGORY_IS", TRACE_CATEGORY_IS }, { "ALERT_IS", TRACE_ALERT_IS },
	{ "RESULT_IS", TRACE_RESULT_IS }, { "DONE", TRACE_DONE },
	{ "STARTED", TRACE_PROVIDER_STARTED },
	{ "SAVE_BUFFER", TRACE_PROVIDER_SAVE_BUFFER },
	{ "STOPPED", TRACE_PROVIDER_STOPPED },
	{ "ALERT", TRACE_PROVIDER_ALERT },
	{ "BUFFER_SAVED", TRACE_PROVIDER_BUFFER_SAVED },
	{ "oneshot", TRACE_BUFFERING_MODE_ONESHOT },
	{ "circular", TRACE_BUFFERING_MODE_CIRCULAR },
	{ "streaming", TRACE_BUFFERING_MODE_STREAMING },
	{ "keep", TRACE_START_RETAIN_BUFFER },
	{ "clear-rest", TRACE_START_CLEAR_NONDURABLE_BUFFER },
	{ "clear", TRACE_START_CLEAR_ENTIRE_BUFFER }, { "EACCES", EACCES },
	{ "EPERM", EPERM }, { "ENOSYS", ENOSYS }, { "EOPNOTSUPP", EOPNOTSUPP },
	{ "EMFILE", EMFILE }, { "ENOENT", ENOENT }, { "EINVAL", EINVAL },
	{ "EBUSY", EBUSY }, { "EPIPE", EPIPE }, { NULL, 0 },
};
/* clang-format on */

static long find_number(const char *word)
{
	for (size_t i = 0; names[i].name; i++)
		if (!strcmp(names[i].name, word))
			return names[i].number;
	return script_number(word, 0);
}

static const char *name_request(int number)
{
	for (size_t i = 0; i < 25; i++)
		if (names[i].number == number)
			return names[i].name;
	return number ? "gone" : "nothing";
}

/* What the client was answered. */
static const char *say_done(void)
{
	for (size_t i = 31; names[i].name; i++)
		if (names[i].number == kit.done)
			return names[i].name;
	return kit.done < 0 ? "nothing" : kit.done ? "an error" : "done";
}

/*
 * ---- Who takes part
 */

static struct kit_provider *find_provider(const char *name)
{
	struct named *at = providers;

	while (*at->name && strcmp(at->name, name))
		at++;
	tap_need(at < providers + PROVIDERS - 1);
	if (!*at->name)
		at->one.fd = -1;
	snprintf(at->name, sizeof(at->name), "%s", name);
	return &at->one;
}

static int *find_socket(const char *name)
{
	return !strcmp(name, "client")	  ? &kit.client
	       : !strcmp(name, "archive") ? &kit.archive
					  : &find_provider(name)->fd;
}

static const char *open_again(char **word)
{
	tr2_manager_free(kit.manager);
	close(kit.client);
	kit_open(&kit, (unsigned)script_number(word[0], 60000),
		 (size_t)script_number(word[1], 0));
	return NULL;
}

static const char *bring_provider(char **word)
{
	kit_come(&kit, find_provider(word[0]), *word[1] ? word[1] : word[0]);
	return NULL;
}

static const char *greet_provider(char **word)
{
	kit_arrive(find_provider(word[0]));
	return NULL;
}

static const char *do_register(char **word)
{
	kit_register(&kit, find_provider(word[0]),
		     *word[1] ? word[1] : word[0]);
	return NULL;
}

static const char *do_connect(char **word)
{
	*find_socket(word[0]) = kit_connect(&kit);
	return NULL;
}

static const char *do_close(char **word)
{
	int *fd = find_socket(word[0]);

	close(*fd);
	*fd = -1;
	return NULL;
}

/* The manager does what there is to do. */
static const char *run_manager(SCRIPT_NONE)
{
	kit_run(&kit);
	return NULL;
}

static const char *step_manager(char **word)
{
	tr2_manager_step(kit.manager, -1, (int)script_number(word[0], 0));
	kit_drain(&kit);
	return NULL;
}

/* With a descriptor that nobody takes. */
static bool was_hung_up(int fd)
{
	int request;

	while ((request = kit_hear(fd)) > 0)
		if (kit_message.fd >= 0)
			close(kit_message.fd);
	return request < 0;
}

/* Steps until a provider is hung up; 9 at most. */
static const char *count_steps(char **word)
{
	int steps = 0;

	while (steps < 9 && !was_hung_up(*find_socket(word[0]))) {
		tr2_manager_step(kit.manager, -1, 60000);
		steps++;
	}
	return script_say_yes(steps <= 4);
}

/* Is nothing due? Then a step takes all the time that it may. */
static const char *is_idle(SCRIPT_NONE)
{
	const uint64_t from = tr2_clock_now();

	return script_say_yes(!tr2_manager_step(kit.manager, -1, 40) &&
			      tr2_clock_now() - from >= 39 * MS);
}

#endif
