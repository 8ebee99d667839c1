/* The command `doctor`: options, order, exit status. */
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "doctor/doctor_part.h"

/* What the command line asks for. */
struct doctor_options {
	bool fixes;
	enum { DOCTOR_TEXT, DOCTOR_JSON } format;
};

#define OWN struct doctor_options

static const char *const formats[] = { "text", "json", NULL };

static const struct tr2_cli_option table[] = {
	{ "fix", NULL, TR2_CLI_FLAG(OWN, fixes),
	  .help = "make directories that are missing, and print each one; "
		  "nothing else is changed" },
	{ "format", "FORMAT", TR2_CLI_WORD(OWN, format, formats, 0),
	  .help = "how to print the result: text or json (default: text)" },
	{ .name = NULL },
};

static const struct tr2_cli cli = {
	.name = "doctor",
	.about =
		"usage: trace2 doctor [OPTION]...\n"
		"\n"
		"Show which targets of Trace2 are on here, which variable or which line of\n"
		"git's files set them, whether they work, and what to type if they do not.\n"
		"Then show what git ignores, what was mistyped, and what EVENT leaves out.\n",
	.options = table,
	.notes =
		"Exit status: 0 every target that is on works, 1 one does not, 2 the\n"
		"command line was wrong, 3 the result could not be written.\n",
	.has_none = true,
};

unsigned tr2_doctor_count_broken(const struct tr2_doctor *doctor)
{
	unsigned count = 0, i;

	for (i = 0; i < TR2_DOCTOR_TARGETS; i++)
		count += doctor->targets[i].state == TR2_DOCTOR_BROKEN;
	return count;
}

static void release_entries(struct tr2_vec *list)
{
	struct tr2_doctor_entry *one = list->items;
	uint32_t i;

	for (i = 0; i < list->count; i++) {
		free(one[i].key);
		free(one[i].value);
		free(one[i].path);
	}
	tr2_vec_release(list);
}

static void release_doctor(struct tr2_doctor *doctor)
{
	struct tr2_doctor_note *notes = doctor->notes.items;
	uint32_t i;

	for (i = 0; i < TR2_DOCTOR_TARGETS; i++) {
		free(doctor->targets[i].what);
		free(doctor->targets[i].repair);
		free(doctor->targets[i].missing);
	}
	for (i = 0; i < doctor->notes.count; i++) {
		free(notes[i].text);
		free(notes[i].repair);
	}
	tr2_vec_release(&doctor->notes);
	release_entries(&doctor->entries);
	release_entries(&doctor->ignored);
}

static int examine_targets(const struct doctor_options *options)
{
	struct tr2_doctor doctor;
	unsigned i, broken;

	memset(&doctor, 0, sizeof(doctor));
	tr2_doctor_read(&doctor);
	for (i = 0; i < TR2_DOCTOR_TARGETS; i++)
		if (doctor.targets[i].value)
			tr2_doctor_check(&doctor, &doctor.targets[i]);
	tr2_doctor_note(&doctor);
	if (options->fixes)
		tr2_doctor_repair(&doctor);
	if (options->format == DOCTOR_JSON)
		tr2_doctor_print_json(&doctor);
	else
		tr2_doctor_print_text(&doctor);
	broken = tr2_doctor_count_broken(&doctor);
	release_doctor(&doctor);
	return broken ? 1 : 0;
}

int tr2_doctor_main(int argc, char **argv)
{
	struct doctor_options options = { false, DOCTOR_TEXT };
	int code = tr2_cli_read(&cli, &options, argv);

	(void)argc;
	return code == TR2_CLI_GO_ON ? examine_targets(&options) : code;
}
