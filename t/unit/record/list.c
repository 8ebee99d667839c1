/* `trace2 list-providers` and `trace2 list-categories`. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "host/host.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "record/record.h"
#include "record/record_part.h"
#include "trace/provider/message.h"

#define ALL "a?b\tone\nio\tthe disk\nnet\t\nzed\tthe last\n"

static struct tr2_private *manager;

static void send_text(int fd, unsigned request, uint32_t data32,
		      const char *text, size_t len)
{
	const trace_provider_packet_t packet = { .request = (uint16_t)request,
						 .data32 = data32 };

	tap_need(!tr2_message_send(fd, &packet, text, len, -1));
}

/* A program with these categories, each `name NUL description`. */
static int register_program(const char *name)
{
	int fd = tr2_message_connect(tr2_private_socket(manager));

	tap_need(fd >= 0);
	send_text(fd, TRACE_REGISTER, TRACE_MESSAGE_VERSION, name,
		  strlen(name));
	send_text(fd, TRACE_REGISTER_CATEGORY, 0, "net\0", 4);
	send_text(fd, TRACE_REGISTER_CATEGORY, 0, "io\0the disk", 11);
	return fd;
}

/* The options name a socket, which is the manager's by default. */
static int run_list(int (*list)(int argc, char **argv), const char *socket)
{
	char words[256];

	snprintf(words, sizeof(words), "list --socket %s",
		 socket ? socket : tr2_private_socket(manager));
	return kit_call(list, words);
}

static void test_providers(void)
{
	char want[128];

	snprintf(want, sizeof(want), "1\t%ld\tone\n2\t%ld\ttw\xc3\xb6\n",
		 (long)getpid(), (long)getpid());
	tap_int(run_list(tr2_list_providers_main, NULL), 0,
		"programs are listed");
	tap_str(kit_said[1], want, "each with its numbers and its name");
}

static void test_categories(void)
{
	tap_int(run_list(tr2_list_categories_main, NULL), 0,
		"categories are listed");
	tap_str(kit_said[1], ALL, "in order, and once");
	tap_str(kit_said[2], "", "with no message");
}

/* ---- Memory, of which a call of the command for more fails */

static int calls, fail_at;
static const struct tr2_host *usual;
static pthread_t tester; /* the thread whose calls count */

static void *get_memory(void *old, size_t size)
{
	if (!pthread_equal(pthread_self(), tester) || ++calls != fail_at)
		return usual->realloc(old, size);
	errno = ENOMEM;
	return NULL;
}

/* Returns whether the list is whole, or there is a message and no list. */
static int is_honest(int code)
{
	if (!code)
		return !strcmp(kit_said[1], ALL) && !*kit_said[2];
	return code == 1 && !*kit_said[1] &&
	       (!strcmp(kit_said[2],
			"trace2 list-categories: cannot make the list: "
			"Cannot allocate memory\n") ||
		!strcmp(kit_said[2],
			"trace2 list-categories: cannot reach the trace "
			"manager: Cannot allocate memory\n"));
}

/* Before the manager's thread begins, which uses the host, too. */
static void install_host(void)
{
	static struct tr2_host host;

	tester = pthread_self();
	usual = tr2_host;
	host = *usual;
	host.realloc = get_memory;
	tr2_host = &host;
}

static void test_memory(void)
{
	int code, refused = 0, dishonest = 0;

	for (fail_at = 1; fail_at <= 20; fail_at++) {
		calls = 0;
		code = run_list(tr2_list_categories_main, NULL);
		refused += code == 1;
		dishonest += !is_honest(code);
	}
	fail_at = 0;
	tap_int(dishonest, 0, "a list is whole, or it is refused");
	tap_ok(refused > 5, "which it is if one of its lines has no memory");
}

/* ---- No manager */

static void test_nobody(void)
{
	tap_int(run_list(tr2_list_categories_main, "./none"), 1,
		"a manager that is missing is a failure");
	tap_str(kit_said[2],
		"trace2 list-categories: cannot reach the trace manager: "
		"No such file or directory\n",
		"whose reason is told");
	unsetenv("TRACE_MANAGER");
	unsetenv("XDG_RUNTIME_DIR");
	tap_int(kit_call(tr2_list_providers_main, "list"), 1,
		"so is one that nothing names");
	tap_str(kit_said[2],
		"trace2 list-providers: no trace manager is running; start one "
		"with `trace2 manager`\n",
		"with what to do");
	tap_int(kit_call(tr2_list_providers_main, "list --kernel"), 2,
		"an option of others is refused");
	tap_int(kit_call(tr2_list_providers_main, "list --help"), 0,
		"the help needs no manager");
	tap_ok(strstr(kit_said[1], "usage: trace2 list-providers ") ==
			       kit_said[1] &&
		       !*kit_said[2],
	       "and tells how to call it");
}

/* It takes the connection, and hangs up. */
static void test_hangup(void)
{
	struct sockaddr_un address = { AF_UNIX, "s" };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	pid_t pid;

	tap_need(!bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
		 !listen(fd, 1));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(accept(fd, NULL, NULL));
		_exit(0);
	}
	tap_int(run_list(tr2_list_providers_main, "s"), 1,
		"a manager that hangs up is a failure");
	tap_str(kit_said[2], "trace2 list-providers: no answer: Broken pipe\n",
		"and its user hears why");
	close(fd);
	waitpid(pid, NULL, 0);
	setenv("TRACE_MANAGER", "s", 1);
	tap_int(kit_call(tr2_list_providers_main, "list"), 1,
		"a socket without a listener is a failure");
	unsetenv("TRACE_MANAGER");
	tap_str(kit_said[2],
		"trace2 list-providers: cannot reach the trace manager: "
		"Connection refused\n",
		"the message says that nobody listens");
}

int main(void)
{
	const struct tr2_record_options options = { .answer_ms = 60000 };
	int one, two;

	signal(SIGPIPE, SIG_IGN);
	enter_directory();
	install_host();
	manager = tr2_private_start(&options);
	one = register_program("one");
	two = register_program("tw\xc3\xb6");
	send_text(two, TRACE_REGISTER_CATEGORY, 0,
		  "a\xe2\x80\xaa"
		  "b\0one",
		  9);
	send_text(one, TRACE_REGISTER_CATEGORY, 0, "zed\0the last", 12);
	tap_run(test_providers, test_categories, test_memory, test_nobody,
		test_hangup);
	close(one);
	close(two);
	tr2_private_stop(manager);
	tr2_host = usual;
	leave_directory();
	return tap_done();
}
