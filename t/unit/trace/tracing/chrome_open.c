/* Which files are opened for trace events, and which are left alone. */
#include "trace/tracing/chrome_kit.h"

static void put_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	if (out) {
		fputs(text, out);
		fclose(out);
	}
}

static void test_foreign(void)
{
	put_file("own.json", "[\nof before, and longer than what will come, "
			     "since it is to be gone when this is begun: "
			     "................................................"
			     "................................................"
			     "...............................................");
	begin_file("own.json");
	tr2_chrome_file_end(&file);
	tap_ok(has_events("own.json", 0, "]\n"),
	       "what begins as such a file is written over");
	put_file("other.json", "[1]");
	tap_int(begin_file("other.json"), EEXIST, "what does not is not");
	tap_str(read_warnings(),
		"warning: trace2: could not open 'other.json' for 'TRACE' "
		"tracing: File exists\n",
		"that it is refused is said");
	tap_str(file_text("other.json"), "[1]", "it stays as it is");
	put_file("short.json", "[");
	tap_int(begin_file("short.json"), EEXIST, "nor is what is too short");
	tap_int(begin_file("none/x.json"), ENOENT, "a file needs its folder");
	read_warnings();
	tap_ok(begin_file("/dev/null") == 0 && file.fd >= 10,
	       "what is no file may be written to");
	tr2_chrome_file_end(&file);
	tap_int(symlink("own.json", "link.json"), 0, "a link is made");
	tap_int(begin_file("link.json"), 0,
		"a link that was asked for is followed");
	tr2_chrome_file_end(&file);
	tap_int(symlink("own.json", "100.json"), 0, "another one is made");
	tap_int(begin_file("${pid}.json"), ELOOP,
		"a link with a name of our making is not");
	read_warnings();
}

static void test_descriptor(void)
{
	struct tr2_buf left;
	int low;

	renew_file("given.json");
	low = open("given.json", O_RDWR | O_CREAT, 0600);
	tap_ok(!tr2_chrome_file_begin(&file, low) && file.fd == low,
	       "a descriptor that is given is used as it is");
	tr2_chrome_file_end(&file);
	tap_ok(has_events("given.json", 0, "]\n") && fcntl(low, F_GETFD) < 0,
	       "and closed in the end");
	begin_file("left.json");
	left = file.text;
	tr2_chrome_file_forget(&file);
	tr2_buf_release(&left);
	tap_ok(file.fd == -1 && !file.text.len, "a child lets go of it");
	clients--;
	tr2_chrome_file_forget(&file);
	add_error = EBUSY;
	tap_int(begin_file("busy.json"), EBUSY, "who can't trace is told why");
	add_error = 0;
	tap_ok(!strcmp(read_warnings(), "warning: trace2: could not trace into "
					"'busy.json' for 'TRACE' tracing: "
					"Device or resource busy\n") &&
		       has_events("busy.json", 0, "]\n") && file.fd == -1,
	       "and leaves a file that is complete");
	tr2_buf_release(&file.text);
}

/* A file that another process writes. */
static void test_nested(void)
{
	char name[64];
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends))
		return;
	begin_file("shared.json");
	child = fork();
	if (!child) {
		renew_file("shared.json");
		status = tr2_chrome_file_begin(&file, -1);
		put_events(1);
		tr2_chrome_file_end(&file);
		_exit(status || !file.nested);
	}
	waitpid(child, &status, 0);
	snprintf(name, sizeof(name), "shared-%d.json", 100);
	tap_ok(!status && has_events(name, 1, "]\n"),
	       "a file that another process writes is left to it");
	tr2_chrome_file_end(&file);
	tap_ok(has_events("shared.json", 0, "]\n"), "which goes on");
	close(ends[0]);
	close(ends[1]);
}

static int refuse_busy(const char *path, int flags, mode_t mode)
{
	(void)path;
	(void)flags;
	(void)mode;
	errno = EAGAIN;
	return -1;
}

/* There is room for the name, but not for what is added to it. */
static void test_nested_too_long(void)
{
	static char name[4096];

	memset(name, 'x', sizeof(name) - 1);
	host.open = refuse_busy;
	tap_ok(begin_file(name) && file.nested && file.fd == -1,
	       "a longer name may be too long");
	host.open = tr2_host_system.open;
	read_warnings();
}

static int given_fd;

static int open_at(const char *path, int flags, mode_t mode)
{
	const int fd = open(path, flags, mode);

	if (fd < 0)
		return fd;
	dup2(fd, given_fd);
	close(fd);
	return given_fd;
}

/* Programs have their own idea of numbers up to 9. */
static void test_numbers(void)
{
	static const int numbers[] = { 0, 9 };
	const int ten = fcntl(10, F_DUPFD, 20), zero = dup(0);
	int i;

	close(10);
	host.open = open_at;
	for (i = 0; i < 2; i++) {
		given_fd = numbers[i];
		if (begin_file("number.json") || file.fd <= 10 ||
		    fcntl(given_fd, F_GETFD) >= 0 ||
		    !(fcntl(file.fd, F_GETFD) & FD_CLOEXEC))
			break;
		tr2_chrome_file_end(&file);
	}
	tap_int(i, 2, "a file has a number that programs do not touch");
	host.open = tr2_host_system.open;
	renew_file("zero.json");
	file.events = 1;
	dup2(open("zero.json", O_RDWR | O_CREAT, 0600), 0);
	tap_ok(!tr2_chrome_file_begin(&file, 0) && !file.fd &&
		       has_events("zero.json", 0, ""),
	       "number 0 may be given");
	put_events(1);
	file.client.name(&file.client, &event, 0);
	flush_file(1);
	tap_ok(strstr(strstr(file_text("zero.json"), event_line) + 1,
		      event_line) &&
		       strstr(file_text("zero.json"), "dropped"),
	       "and is written to");
	tr2_chrome_file_end(&file);
	tap_ok(fcntl(0, F_GETFD) < 0 && file.fd == -1,
	       "and closed like any other");
	dup2(zero, 0);
	close(zero);
	if (ten >= 0)
		dup2(ten, 10);
	close(ten);
}

int main(void)
{
	tap_ok(kit_begin(), "there is a folder for files");
	tr2_chrome_file_end(&file);
	tap_run(test_foreign, test_descriptor, test_nested,
		test_nested_too_long, test_numbers);
	return kit_end();
}
