/* The names of system calls, which the build asks the compiler for. */
#include <sys/syscall.h>

#include "record/kernel/record.h"

/* Some machines have two names for one number. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const char *const names[] = {
#include "syscalls.inc"
};
#pragma GCC diagnostic pop

const char *tr2_kernel_syscall_name(uint32_t number)
{
	return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}
