/*
 * Linked with --wrap=raise and --wrap=_exit: a process that is about to die
 * of a signal that it gives itself, or that leaves without its exit handlers
 * as children of tests do, writes its coverage counters first, and counts on.
 */

void __gcov_dump(void);
void __gcov_reset(void);
int __real_raise(int signo);
int __wrap_raise(int signo);
void __real__exit(int code);
void __wrap__exit(int code);

static void write_counters(void)
{
	__gcov_dump();
	__gcov_reset();
}

int __wrap_raise(int signo)
{
	write_counters();
	return __real_raise(signo);
}

void __wrap__exit(int code)
{
	write_counters();
	__real__exit(code);
}
