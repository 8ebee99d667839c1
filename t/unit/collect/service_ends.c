#define _GNU_SOURCE
/*
 * What a service tells at its end: which output missed something, which part
 * could not begin, and sockets that are its own or another's; and
 * what it allows when descriptors are few. service_ends.txt has the cases.
 */
#include <dlfcn.h>
#include <errno.h>

#include "kit/tap.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "collect/collect.h"
#include "collect/options.h"
#include "kit/clock.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/script_system.h"

static pid_t service;
static rlim_t files_most; /* of the next service, if not 0 */
static int output_fd;	  /* its standard output, if not 0 */
static int listener = -1; /* another's socket */

/* Of descriptors it gets a half, and has to ask for the others. */
static void limit_service(void)
{
	struct rlimit limit = { files_most / 2, files_most };

	if (files_most)
		setrlimit(RLIMIT_NOFILE, &limit);
}

_Noreturn static void run_words(const char *words)
{
	char *argv[64] = { (char[]){ "collect" } }, *rest, text[1024];
	int argc = 1, code;

	snprintf(text, sizeof(text), "--spool spool %s", words);
	for (rest = strtok(text, " "); rest; rest = strtok(NULL, " "))
		argv[argc++] = rest;
	tap_need(freopen("said", "w", stderr) &&
		 freopen("printed", "w", stdout));
	setvbuf(stderr, NULL, _IONBF, 0);
	signal(SIGPIPE, SIG_DFL);
	if (output_fd)
		dup2(output_fd, 1);
	limit_service();
	code = tr2_collect_main(argv);
	fflush(stdout);
	if (files_most) /* who looks for leaks needs a descriptor */
		_exit(code);
	exit(code);
}

static void begin_service(const char *words)
{
	fflush(stdout);
	service = fork();
	if (!service)
		run_words(words);
}

static int wait_for_end(void)
{
	int status;

	waitpid(service, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* Connect as soon as it listens. */
static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, path);
	for (int i = 0; i < 10000; i++) {
		if (!connect(fd, (const struct sockaddr *)&address,
			     sizeof(address)))
			return fd;
		take_nap();
	}
	abort();
}

/*
 * ---- Verbs
 */

static const char *name_code(int code)
{
	return code == COLLECT_WHOLE	? "whole"
	       : code == COLLECT_LOST	? "lost"
	       : code == COLLECT_FAILED ? "failed"
					: script_say_number(code);
}

static const char *begin_it(char **word)
{
	begin_service(word[0]);
	return NULL;
}

static const char *await_end(SCRIPT_NONE)
{
	return name_code(wait_for_end());
}

static const char *end_it(SCRIPT_NONE)
{
	kill(service, SIGTERM);
	return name_code(wait_for_end());
}

/* A command line that runs no service. */
static const char *run_it(char **word)
{
	begin_service(word[0]);
	return name_code(wait_for_end());
}

static const char *send_to(char **word)
{
	int fd = connect_to(word[0]);
	const size_t len = strlen(word[1]);

	tap_need(!len || send(fd, word[1], len, MSG_NOSIGNAL) >= 0);
	close(fd);
	return NULL;
}

static const char *listen_to(char **word)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	strcpy(address.sun_path, word[0]);
	tap_need(!bind(listener, (const struct sockaddr *)&address,
		       sizeof(address)) &&
		 !listen(listener, 8));
	return NULL;
}

/* The service has the listener as the descriptor 3, as of systemd. */
static const char *pass_socket(char **word)
{
	char own[32];

	fflush(stdout);
	service = fork();
	if (!service) {
		snprintf(own, sizeof(own), "%ld", (long)getpid());
		setenv("LISTEN_PID", own, 1);
		setenv("LISTEN_FDS", "1", 1);
		if (listener == -1)
			close(3);
		else if (dup2(listener, 100) == 100)
			dup2(100, 3);
		run_words(word[0]);
	}
	return NULL;
}

static const char *tell_said(SCRIPT_NONE)
{
	return file_text("said");
}

static const char *has_said(char **word)
{
	return script_say_yes(strstr(file_text("said"), word[0]) != NULL);
}

/* Until a file has something, or just this. */
static const char *await_file(char **word)
{
	const char *text = "";
	bool found = false;

	for (int i = 0; i < 10000 && !found; i++) {
		take_nap();
		text = file_text(word[0]);
		found = *word[1] ? !strcmp(text, word[1]) : *text;
	}
	return NULL;
}

/* The reader of standard output has gone. */
static const char *begin_without_reader(char **word)
{
	int ends[2];

	tap_need(!pipe(ends));
	close(ends[0]);
	output_fd = ends[1];
	begin_service(word[0]);
	output_fd = 0;
	close(ends[1]);
	return NULL;
}

/* The mode of the only file of a directory. */
static const char *find_mode_in(char **word)
{
	const char *name = list_names(word[0]);
	char path[300];

	snprintf(path, sizeof(path), "%s/%.*s", word[0],
		 (int)strcspn(name, " "), name);
	return script_say("%o", (unsigned)find_mode(path));
}

static int threads_most; /* the next one fails; 0: none does */

/* In the place of the C library's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *wanted,
		   void *(*run)(void *), void *context)
{
	int (*call)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);
	void *found = dlsym(RTLD_NEXT, "pthread_create");

	if (threads_most && !--threads_most)
		return EAGAIN;
	memcpy(&call, &found, sizeof(found));
	return call(thread, wanted, run, context);
}

static const char *limit_begin(char **word)
{
	threads_most = (int)script_number(word[0], 0);
	return NULL;
}

/* Descriptors of the services of this case. */
static const char *limit_files_to(char **word)
{
	files_most = (rlim_t)script_number(word[0], 0);
	return NULL;
}

/* `refused 90 "WORDS"`: how many of the connections are, as it is told. */
static const char *count_refused(char **word)
{
	const long connections = script_number(word[0], 0);
	int fds[100], count = -1;

	begin_service(word[1]);
	for (long i = 0; i < connections; i++)
		fds[i] = connect_to("sock");
	kill(service, SIGTERM);
	if (wait_for_end() != COLLECT_LOST ||
	    sscanf(file_text("said"),
		   "trace2 collect: connections are refused: %*d are open, and "
		   "the limit on descriptors (ulimit -n) allows no more\n"
		   "trace2 collect: %d connections were refused: there were "
		   "too many at once\n",
		   &count) != 1)
		printf("# %s", file_text("said"));
	for (long i = 0; i < connections; i++)
		close(fds[i]);
	return script_say_number(count);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "begin", begin_it }, { "end", end_it }, { "ended", await_end },
	{ "run", run_it }, { "send", send_to }, { "listen", listen_to },
	{ "pass-socket", pass_socket }, { "said", tell_said },
	{ "tells", has_said }, { "await", await_file },
	{ "no-reader", begin_without_reader }, { "mode-in", find_mode_in },
	{ "threads", limit_begin }, { "files", limit_files_to },
	{ "refused", count_refused }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	static const char *const files[] = { "said", "printed", "sock", "sock2",
					     "taken" };

	threads_most = 0;
	files_most = 0;
	if (listener != -1)
		close(listener);
	listener = -1;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlink(files[i]);
	remove_all("spool");
	remove_all("out");
	script_restore_system();
}

int main(void)
{
	return script_main(__FILE__, verbs, NULL, end_case);
}
