/* A configuration file of each size, and one for which there is no memory. */
#include "collect/options_kit.h"

#include <sys/wait.h>

#include "host/host.h"

#define MOST ((size_t)1 << 20)

static struct tr2_host host;
static int fails; /* that call for memory */

static void *fail_realloc(void *old, size_t size)
{
	return fails && !--fails ? NULL : realloc(old, size);
}

/* A comment, and then a setting at the end of so many bytes. */
static void write_config(size_t len)
{
	static const char end[] = "\nspool far-away\n";
	char *text = malloc(len + 1);
	FILE *out = fopen("file", "w");

	tap_need(text && out);
	memset(text, 'x', len);
	text[0] = '#';
	memcpy(text + len - strlen(end), end, strlen(end));
	fwrite(text, 1, len, out);
	fclose(out);
	free(text);
}

static int read_config(void)
{
	int code;

	forget_options();
	catch_errors();
	code = tr2_collect_read_config(&options, "file");
	show_errors();
	return code;
}

static void test_sizes(void)
{
	static const size_t sizes[] = { 4095, 4096, 4097, 8192, 100000, MOST };
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		write_config(sizes[i]);
		wrong += read_config() || !options.spool ||
			 strcmp(options.spool, "far-away") != 0;
	}
	tap_int((intmax_t)wrong, 0, "the last line of each file counts");
	write_config(MOST + 1);
	tap_int(read_config(), 2, "a file of more than a MiB is refused");
	tap_str(kit_text("errors"), "trace2 collect: File too large: file\n",
		"with the reason and its name");
}

static int run_child(int call)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		fails = call;
		_exit(read_config());
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void test_no_memory(void)
{
	int call, ended = 0;

	write_config(9000);
	for (call = 1; run_child(call) == 3; call++)
		ended++;
	tap_ok(ended >= 2, "a file without memory for it ends the command");
	tap_int(run_child(call), 0, "with memory it is read");
}

static int refuse_without_memory(void)
{
	int wrong;

	write_file("file", "word\n");
	forget_options();
	options.file = "file";
	catch_errors();
	fails = 1;
	wrong = tr2_collect_refuse(&options, "expected more than", "word") !=
		COLLECT_USAGE;
	fails = 0;
	show_errors();
	options.file = NULL;
	return wrong;
}

/* The place is left out, but no more. */
static void test_message(void)
{
	tap_int(refuse_without_memory(), 0, "a mistake is one without memory");
	tap_str(kit_text("errors"),
		"trace2 collect: expected more than: word\n",
		"its message lacks only the place");
}

/* Standard input is closed, so that the file gets its descriptor. */
static void test_standard_input(void)
{
	int before, code;

	write_config(100);
	forget_options();
	before = dup(0);
	close(0);
	code = tr2_collect_read_config(&options, "file");
	tap_ok(fcntl(0, F_GETFD) < 0, "a file that was read is closed");
	dup2(before, 0);
	close(before);
	tap_int(code, 0, "it may be read as standard input is");
}

int main(void)
{
	enter_directory();
	host = *tr2_host;
	host.realloc = fail_realloc;
	tr2_host = &host;
	tap_run(test_sizes, test_no_memory, test_message, test_standard_input);
	forget_options();
	leave_directory();
	return tap_done();
}
