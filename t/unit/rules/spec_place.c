/* Which specification a program cites. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/tap.h"
#include "rules/spec_place.h"

static char place[512];

/* What is cited where the link leads there. */
static const char *find_from(const char *target)
{
	unlink("link");
	if (target && symlink(target, "link"))
		return "no link could be made";
	tr2_spec_find(place, sizeof(place), "link");
	return place;
}

static void make_file(const char *path)
{
	FILE *file = fopen(path, "w");

	if (file)
		fclose(file);
}

static void test_installed(void)
{
	static const char *const dirs[] = { "p", "p/share", "p/share/doc",
					    "p/share/doc/trace2" };
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		mkdir(dirs[i], 0777);
	tap_str(find_from("p/bin/trace2"), "", "none is installed");
	make_file("p/share/doc/trace2/SPEC.md");
	tap_str(find_from("p/bin/trace2"), "p/share/doc/trace2/",
		"the one beside the program is cited");
	tap_str(find_from("p/trace2"), "",
		"a program in no bin/ of a prefix has none");
	tap_str(find_from("trace2"), "", "nor one in no directory");
	tap_str(find_from(NULL), "", "nor one that is not known");
}

static void test_room(void)
{
	static const char path[] = "p/share/doc/trace2/SPEC.md";
	size_t size;

	find_from("p/bin/trace2");
	for (size = 1; size <= sizeof(path); size++) {
		memset(place, '~', sizeof(place));
		tr2_spec_find(place, size, "link");
		if (place[size] != '~' ||
		    strcmp(place,
			   size < sizeof(path) ? "" : "p/share/doc/trace2/"))
			break;
	}
	tap_int((intmax_t)size, sizeof(path) + 1,
		"a path that does not fit is not written");
}

int main(void)
{
	char folder[] = "/tmp/t2-spec-XXXXXX", clean[64];
	int gone;

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	test_installed();
	test_room();
	tap_str(tr2_spec_folder(), "", "this program is not installed");
	snprintf(clean, sizeof(clean), "rm -r %s", folder);
	gone = system(clean);
	return gone ? 1 : tap_done();
}
