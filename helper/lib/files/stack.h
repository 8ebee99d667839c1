/* stack.h - is the stack large enough? */
#ifndef TR2_FILES_STACK_H
#define TR2_FILES_STACK_H

#include <stdbool.h>

/*
 * What values are nested in a line takes room on the stack, of which the limit
 * is that of the threads, too: with less than 128 KiB, a line could end the
 * process. False after a message.
 */
bool tr2_stack_is_enough(void);

#endif
