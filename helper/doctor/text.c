/* The result as text. */
#include <stdio.h>

#include "base/buf.h"
#include "doctor/doctor_part.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "lib/text/object.h"

static void put_text(struct tr2_buf *out, const char *name, const char *text)
{
	if (text)
		tr2_object_text(out, name, text);
}

static void put_target(struct tr2_buf *out,
		       const struct tr2_doctor_target *target)
{
	static const char *const states[] = { "off", "works", "broken" };

	tr2_buf_byte(out, '{');
	put_text(out, "name", target->name);
	put_text(out, "state", states[target->state]);
	put_text(out, "value", target->value);
	if (target->value && !target->path)
		put_text(out, "variable", target->variable);
	put_text(out, "file", target->path);
	if (target->path)
		tr2_object_number(out, "line", target->line);
	put_text(out, "what", target->what);
	put_text(out, "repair", target->repair);
	tr2_buf_byte(out, '}');
}

static void put_note(struct tr2_buf *out, const struct tr2_doctor_note *note)
{
	tr2_buf_byte(out, '{');
	put_text(out, "text", note->text);
	put_text(out, "repair", note->repair);
	tr2_buf_byte(out, '}');
}

void tr2_doctor_print_json(const struct tr2_doctor *doctor)
{
	const struct tr2_doctor_note *notes = doctor->notes.items;
	struct tr2_buf out = TR2_BUF_INIT;
	uint32_t i;

	tr2_buf_byte(&out, '{');
	tr2_object_number(&out, "version", 1);
	tr2_object_number(&out, "broken", tr2_doctor_count_broken(doctor));
	tr2_object_open(&out, "targets", '[');
	for (i = 0; i < TR2_DOCTOR_TARGETS; i++) {
		tr2_object_next(&out);
		put_target(&out, &doctor->targets[i]);
	}
	tr2_buf_byte(&out, ']');
	tr2_object_open(&out, "notes", '[');
	for (i = 0; i < doctor->notes.count; i++) {
		tr2_object_next(&out);
		put_note(&out, &notes[i]);
	}
	tr2_buf_str(&out, "]}\n");
	tr2_must_write(&out, stdout);
	tr2_buf_release(&out);
}

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
