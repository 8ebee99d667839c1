/*
 * Programs that trace in functions of the C library which the library calls
 * itself: their allocator, read(2), write(2), close(2), poll(2) and mmap(2).
 * They do not look whether they are inside of a call.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "process/every_kit.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
int main(void)
{
	(void)every_target;
	tap_skip("an allocator of the program's own", "the sanitizer");
	return tap_done();
}
#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *memory);

static int hooks_allocator, hooks_files; /* which of them trace */
static int first_call;

static void trace_from_hook(int is_hooked)
{
	if (is_hooked)
		make_every_call(first_call);
}

void *malloc(size_t size)
{
	trace_from_hook(hooks_allocator);
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	trace_from_hook(hooks_allocator);
	return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	trace_from_hook(hooks_allocator);
	return __libc_realloc(old, size);
}

void free(void *memory)
{
	trace_from_hook(hooks_allocator);
	__libc_free(memory);
}

ssize_t read(int fd, void *bytes, size_t len)
{
	trace_from_hook(hooks_files);
	return syscall(SYS_read, fd, bytes, len);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	trace_from_hook(hooks_files);
	return syscall(SYS_write, fd, bytes, len);
}

int close(int fd)
{
	trace_from_hook(hooks_files);
	return (int)syscall(SYS_close, fd);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct timespec limit = { timeout / 1000,
					timeout % 1000 * 1000000L };

	trace_from_hook(hooks_files);
	return ppoll(fds, count, timeout < 0 ? NULL : &limit, NULL);
}

void *mmap(void *at, size_t size, int access, int flags, int fd, off_t from)
{
	trace_from_hook(hooks_files);
	return (void *)syscall(SYS_mmap, at, size, access, flags, fd, from);
}

/* The first event of the thread is one in a hook. */
static void *use_functions(void *unused)
{
	free(malloc(10));
	free(calloc(1, 10));
	close(open("/dev/null", O_RDWR | O_CLOEXEC));
	make_every_call(first_call);
	return unused;
}

/* A child that has not traced forks again, as a shell does. */
static void be_child(void)
{
	const pid_t pid = fork();

	use_functions(NULL);
	exit(pid ? wait_soon(pid) : 0);
}

static void *fork_once(void *code)
{
	const pid_t pid = fork();

	if (!pid)
		be_child();
	*(int *)code = wait_soon(pid);
	return NULL;
}

static int run_on_thread(void *(*function)(void *))
{
	pthread_t thread;
	int code = 0;

	if (pthread_create(&thread, NULL, function, &code) ||
	    pthread_join(thread, NULL))
		return 1;
	return code;
}

/* Each file of the engine's begins with a megabyte, so fewer are made. */
static int find_stride(void)
{
	return getenv("GIT_TRACE2_FXT") || getenv("GIT_TRACE2_CHROME") ||
			       getenv("TRACE_EVENT_CATEGORIES")
		       ? 7
		       : 1;
}

static int be_hooked(void)
{
	const int stride = find_stride();
	int code = 0;

	trace2_initialize();
	trace2_cmd_start(every_argv);
	for (first_call = 0; first_call < EVERY && !code; first_call += stride)
		code = run_on_thread(use_functions) || run_on_thread(fork_once);
	if (code)
		printf("# call %d\n", first_call - 1);
	return trace2_cmd_exit(code);
}

static int hook_allocator(void)
{
	hooks_allocator = 1;
	return be_hooked();
}

static int hook_files(void)
{
	hooks_files = 1;
	return be_hooked();
}

/* The agent's thread reads, and waits in poll(2). */
static int hook_agent(void)
{
	setenv("GIT_TRACE2_CHROME", every_path("chrome"), 1);
	hooks_files = 1;
	trace2_initialize();
	trace2_cmd_start(every_argv);
	usleep(50000);
	hooks_files = 0;
	return trace2_cmd_exit(0);
}

static int is_of_one_thread(const struct every_target *target)
{
	(void)target;
	return !chdir(every_dir) &&
	       !system("grep -q start log && ! grep unknown log");
}

static const struct every_deed deeds[] = {
	{ .says = "a call from a hook of the allocator inside of another one "
		  "is a drop",
	  .run = hook_allocator },
	{ .says = "a call from a hook of files inside of another one is a drop",
	  .run = hook_files },
	{ .says = "a call from a hook on the agent's thread is a drop",
	  .run = hook_agent,
	  .only = "EVENT to a file",
	  .is_right = is_of_one_thread },
};

int main(int argc, char **argv)
{
	(void)argc;
	return do_deeds(argv, deeds, sizeof(deeds) / sizeof(*deeds));
}
#endif
