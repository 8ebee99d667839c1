/*
 * Linked with --wrap=raise: a process that is about to die of a signal that
 * it gives itself writes its coverage counters first, and counts on.
 */

void __gcov_dump(void);
void __gcov_reset(void);
int __real_raise(int signo);
int __wrap_raise(int signo);

int __wrap_raise(int signo)
{
	__gcov_dump();
	__gcov_reset();
	return __real_raise(signo);
}
