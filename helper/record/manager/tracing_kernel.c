/* The kernel in a tracing, if the client asks for it. */
#include <errno.h>

#include "lib/files/clock.h"
#include "record/kernel/kernel.h"
#include "record/manager/manager_part.h"

void tr2_tracing_kernel_start(struct tr2_manager *manager)
{
	struct tr2_tracing *tracing = &manager->tracing;

	if (!tracing->wants_kernel || tracing->kernel)
		return;
	tracing->kernel =
		tr2_kernel_begin(++manager->last_id, tracing->wants_calls);
	tracing->kernel_refused = tracing->kernel ? 0 : errno;
	tracing->kernel_next = tr2_clock_now();
}

static bool is_traced(void *context, pid_t pid)
{
	const struct tr2_tracing *tracing = context;

	for (size_t i = 0; i < tracing->tracees.count; i++)
		if (tr2_tracing_tracee(tracing, i)->pid == pid)
			return true;
	return false;
}

/*
 * While the client does not read, the kernel's rings fill up, and the kernel
 * drops and counts. After the stop (`now` is UINT64_MAX) the rings are always
 * read.
 */
void tr2_tracing_kernel_step(struct tr2_manager *manager, uint64_t now)
{
	struct tr2_tracing *tracing = &manager->tracing;

	if (!tracing->kernel || now < tracing->kernel_next ||
	    tracing->state > TR2_TRACING_STOPPED)
		return;
	tracing->kernel_next = now + TR2_KERNEL_EVERY;
	if (now == UINT64_MAX || !tr2_tracing_is_full(manager))
		tr2_kernel_step(tracing->kernel, &tracing->archive, is_traced,
				tracing);
}

static tr2_wrong *explain_refusal(int error)
{
	if (error == EACCES || error == EPERM)
		return "skipped: perf_event_open(2) is not allowed here; it "
		       "needs root, CAP_PERFMON, or a value of 0 or below in "
		       "/proc/sys/kernel/perf_event_paranoid";
	if (error == ENOSYS || error == EOPNOTSUPP)
		return "skipped: this kernel has no perf_event_open(2)";
	return "skipped: perf_event_open(2) failed";
}

/* Why there are only context switches. */
static tr2_wrong *explain_part(int error)
{
	if (!error)
		return NULL;
	if (error == ENOENT)
		return "only context switches: wakeups and system calls need tracefs; mount "
		       "it with `mount -t tracefs none /sys/kernel/tracing`";
	if (error == EACCES || error == EPERM)
		return "only context switches: wakeups and system calls need root, or "
		       "CAP_PERFMON and the right to read "
		       "/sys/kernel/tracing/events";
	return "only context switches: the kernel refuses other "
	       "tracepoints";
}

/* A kernel that refused gets a result, too, with the reason. */
void tr2_tracing_kernel_tell(struct tr2_tracing *tracing)
{
	static const struct tr2_archive_source none = {
		.name = TR2_KERNEL_NAME
	};

	if (tracing->kernel)
		tr2_tracing_tell(
			tracing, tr2_kernel_source(tracing->kernel), 0,
			explain_part(tr2_kernel_refused(tracing->kernel)));
	else if (tracing->kernel_refused)
		tr2_tracing_tell(tracing, &none, 0,
				 explain_refusal(tracing->kernel_refused));
}

void tr2_tracing_kernel_end(struct tr2_tracing *tracing)
{
	if (tracing->kernel)
		tr2_kernel_end(tracing->kernel);
	tracing->kernel = NULL;
}
