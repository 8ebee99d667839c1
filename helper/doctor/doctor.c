/* The command `doctor`: options, order, exit status. */
#include "doctor/doctor.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor_part.h"
#include "text/foreign.h"
#include "cli/near.h"

#define EXIT_USAGE 2

static const char help[] =
	"usage: trace2 doctor [OPTION]...\n"
	"\n"
	"Show which targets of Trace2 are on here, which variable or which line of\n"
	"git's files set them, whether they work, and what to type if they do not.\n"
	"Then show what git ignores, what was mistyped, and what EVENT leaves out.\n"
	"\n"
	"Options:\n"
	"  --fix            make directories that are missing, and print each one;\n"
	"                   nothing else is changed\n"
	"  --format FORMAT  text or json; default: text\n"
	"  -h, --help       print this help\n"
	"\n"
	"Exit status: 0 every target that is on works, 1 one does not, 2 the\n"
	"command line was wrong, 3 the result could not be written.\n";

/* What the command line asks for. */
struct doctor_options {
	bool fixes, json, help;
};

static const char *const formats[] = { "text", "json", NULL };

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
	if (options->json)
		tr2_doctor_print_json(&doctor);
	else
		tr2_doctor_print_text(&doctor);
	broken = tr2_doctor_count_broken(&doctor);
	release_doctor(&doctor);
	return broken ? 1 : 0;
}

static int refuse_usage(const char *what, const char *value)
{
	tr2_foreign_complain("doctor", what, value);
	fputs("Try 'trace2 doctor --help'.\n", stderr);
	return EXIT_USAGE;
}

static int take_format(struct doctor_options *options, const char *value)
{
	const int number = tr2_near_index(formats, value);

	options->json = number == 1;
	if (number >= 0)
		return 0;
	tr2_near_complain("doctor", "unknown format", value, formats);
	return EXIT_USAGE;
}

static int take_option(struct doctor_options *options, int option,
		       const struct option *known, char **argv)
{
	switch (option) {
	case 'h':
		options->help = true;
		return 0;
	case 'x':
		options->fixes = true;
		return 0;
	case 'f':
		return take_format(options, optarg);
	case ':':
		return refuse_usage("an option needs a value",
				    argv[optind - 1]);
	default:
		tr2_near_complain_option("doctor", argv[optind - 1], known);
		return EXIT_USAGE;
	}
}

int tr2_doctor_main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "fix", no_argument, NULL, 'x' },
		{ "format", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct doctor_options options = { false, false, false };
	int option, code = 0;

	opterr = 0;
	while (!code &&
	       (option = getopt_long(argc, argv, ":h", known, NULL)) >= 0)
		code = take_option(&options, option, known, argv);
	if (!code && options.help) {
		fputs(help, stdout);
		return 0;
	}
	if (!code && optind < argc)
		code = refuse_usage("takes no argument", argv[optind]);
	return code ? code : examine_targets(&options);
}
