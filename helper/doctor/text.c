/* The result as text. */
#include <stdio.h>

#include "doctor/doctor_part.h"
#include "lib/text/foreign.h"

static void print_repair(const char *repair)
{
	if (!repair)
		return;
	fputs("         -> ", stdout);
	tr2_foreign_print(stdout, repair);
	putchar('\n');
}

static void print_source(const struct tr2_doctor_target *target)
{
	fputs(", set by ", stdout);
	tr2_foreign_print(stdout,
			  target->path ? target->path : target->variable);
	if (target->path)
		printf(":%d", target->line);
}

static void print_target(const struct tr2_doctor_target *target)
{
	static const char *const states[] = { "off", "works", "BROKEN" };

	printf("%-7s  %s", target->name, states[target->state]);
	if (target->value) {
		fputs("  ", stdout);
		tr2_foreign_print(stdout, target->value);
		print_source(target);
	}
	putchar('\n');
	if (target->what) {
		fputs("         ", stdout);
		tr2_foreign_print(stdout, target->what);
		putchar('\n');
	}
	print_repair(target->repair);
}

void tr2_doctor_print_text(const struct tr2_doctor *doctor)
{
	const struct tr2_doctor_note *notes = doctor->notes.items;
	uint32_t i;

	for (i = 0; i < TR2_DOCTOR_TARGETS; i++)
		print_target(&doctor->targets[i]);
	for (i = 0; i < doctor->notes.count; i++) {
		fputs("note     ", stdout);
		tr2_foreign_print(stdout, notes[i].text);
		putchar('\n');
		print_repair(notes[i].repair);
	}
}
