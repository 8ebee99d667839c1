# The names of system calls of the machine that the compiler builds for.
$(B)/names/syscalls.inc: $(RULES_AND_FLAGS)
	@mkdir -p $(@D)
	$(Q)echo '#include <sys/syscall.h>' | $(CC) $(CPPFLAGS) -E -dM - | \
		sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/[SYS_\1] = "\1",/p' >$@
$(B)/helper/record/kernel/syscalls.o: $(B)/names/syscalls.inc
$(B)/helper/record/kernel/syscalls.o: CPPFLAGS_ALL += -I$(B)/names
