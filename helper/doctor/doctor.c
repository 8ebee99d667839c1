/* The command `doctor`: options, order, exit status. */
#include "doctor/doctor.h"

#include <stdio.h>

#include "base/buf.h"
#include "cli/options.h"
#include "doctor/doctor_part.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "lib/text/object.h"
#include "doctor_usage.h"

/* The result as text. */

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

/* How many targets are on and do not work? */
static unsigned count_broken(const struct tr2_doctor *doctor)
{
	unsigned count = 0;

	for (unsigned i = 0; i < TR2_DOCTOR_TARGETS; i++)
		count += doctor->targets[i].state == TR2_DOCTOR_BROKEN;
	return count;
}

static void print_json(const struct tr2_doctor *doctor)
{
	const struct tr2_doctor_note *notes = doctor->notes.items;
	struct tr2_buf out = TR2_BUF_INIT;

	tr2_buf_byte(&out, '{');
	tr2_object_number(&out, "version", 1);
	tr2_object_number(&out, "broken", count_broken(doctor));
	tr2_object_open(&out, "targets", '[');
	for (uint32_t i = 0; i < TR2_DOCTOR_TARGETS; i++) {
		tr2_object_next(&out);
		put_target(&out, &doctor->targets[i]);
	}
	tr2_buf_byte(&out, ']');
	tr2_object_open(&out, "notes", '[');
	for (uint32_t i = 0; i < doctor->notes.count; i++) {
		tr2_object_next(&out);
		tr2_buf_byte(&out, '{');
		put_text(&out, "text", notes[i].text);
		put_text(&out, "repair", notes[i].repair);
		tr2_buf_byte(&out, '}');
	}
	tr2_buf_str(&out, "]}\n");
	tr2_must_write(&out, stdout);
	tr2_buf_release(&out);
}

/* A line, unless there is nothing to say. */
static void print_line(const char *begin, const char *text)
{
	if (!text)
		return;
	fputs(begin, stdout);
	tr2_foreign_print(stdout, text);
	putchar('\n');
}

#define INDENT "         "

static void print_target(const struct tr2_doctor_target *target)
{
	static const char *const states[] = { "off", "works", "BROKEN" };

	printf("%-7s  %s", target->name, states[target->state]);
	if (target->value) {
		fputs("  ", stdout);
		tr2_foreign_print(stdout,
				  *target->value ? target->value : "empty");
		fputs(", set by ", stdout);
		tr2_foreign_print(stdout, target->path ? target->path
						       : target->variable);
		if (target->path)
			printf(":%d", target->line);
	}
	putchar('\n');
	print_line(INDENT, target->what);
	print_line(INDENT "-> ", target->repair);
}

static void print_text(const struct tr2_doctor *doctor)
{
	const struct tr2_doctor_note *notes = doctor->notes.items;

	for (uint32_t i = 0; i < TR2_DOCTOR_TARGETS; i++)
		print_target(&doctor->targets[i]);
	for (uint32_t i = 0; i < doctor->notes.count; i++) {
		print_line("note     ", notes[i].text);
		print_line(INDENT "-> ", notes[i].repair);
	}
}

/* What the command line asks for. */
struct doctor_options {
	bool fixes;
	enum { DOCTOR_TEXT, DOCTOR_JSON } format;
};

#define OWN struct doctor_options

static const char *const formats[] = { "text", "json", NULL };

static const struct tr2_cli_option table[] = {
	{ DOCTOR_OPTION_FIX, TR2_CLI_FLAG(OWN, fixes) },
	{ DOCTOR_OPTION_FORMAT, TR2_CLI_WORD(OWN, format, formats, 0) },
	{ .name = NULL },
};

static const struct tr2_cli cli = {
	.name = "doctor",
	.help = DOCTOR_HELP,
	.options = table,
	.has_none = true,
};

static int examine_targets(const struct doctor_options *options)
{
	/* Its memory is held until the process ends. */
	static struct tr2_doctor doctor;

	doctor.fixes = options->fixes;
	tr2_doctor_read(&doctor);
	for (unsigned i = 0; i < TR2_DOCTOR_TARGETS; i++)
		if (doctor.targets[i].value)
			tr2_doctor_check(&doctor, &doctor.targets[i]);
	tr2_doctor_note(&doctor);
	if (options->format == DOCTOR_JSON)
		print_json(&doctor);
	else
		print_text(&doctor);
	return count_broken(&doctor) ? 1 : 0;
}

int tr2_doctor_main(char **argv)
{
	struct doctor_options options = { false, DOCTOR_TEXT };
	int code = tr2_cli_read(&cli, &options, argv);

	return code == TR2_CLI_GO_ON ? examine_targets(&options) : code;
}
