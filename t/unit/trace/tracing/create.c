/* Tracing objects; the test plays the agent and the file. */
#include "kit/memory.h"

#include "kit/locks.h"
#include "kit/fork_note.h"

#include "kit/tap.h"
#include "trace/agent/agent.h"
#include "trace/tracing/chrome_file.h"
#include "trace/agent/hurry.h"
#include "trace/tracing.h"

static struct {
	int file, change; /* fails: errno */
	pid_t pid;
	const char *categories; /* that clients ask for */
	void (*inside)(void);	/* what happens while a file is opened */
} world;

static void (*at_exit)(int code);
static struct tr2_chrome_file *file;

static int note_at_exit(void (*fn)(int code))
{
	at_exit = fn;
	return 0;
}

static pid_t tell_pid(void)
{
	return world.pid;
}

int tr2_chrome_file_begin(struct tr2_chrome_file *begun, int fd)
{
	file = begun;
	add_note("file %s %s %s %d%s %d; ", file->pattern,
		 file->client.categories,
		 file->variable ? file->variable : "silent", (int)file->events,
		 file->nested ? " nested" : "", fd < 0);
	if (world.inside)
		world.inside();
	file->rotation++;
	errno = EXDEV;
	return world.file;
}

void tr2_chrome_file_end(struct tr2_chrome_file *ended)
{
	add_note("end %d; ", ended == file);
	errno = EXDEV;
}

void tr2_chrome_file_forget(struct tr2_chrome_file *forgotten)
{
	add_note("forget %d; ", forgotten == file);
}

int tr2_agent_change(struct tr2_agent_client *client, const char *categories)
{
	add_note("change %s%s; ", client == &file->client ? "" : "another ",
		 categories);
	errno = EXDEV;
	return world.change;
}

const char *tr2_agent_categories(void)
{
	return world.categories;
}

void tr2_agent_flush(void)
{
	add_note("flush; ");
	errno = EXDEV;
}

void tr2_hurry_call(void)
{
	add_note("call; ");
}

void tr2_agent_observe(struct trace_observer *observer)
{
	add_note("observe %d; ", observer->started == NULL);
}

void tr2_agent_unobserve(struct trace_observer *observer)
{
	add_note("unobserve %d; ", observer->started == NULL);
}

/* What came to standard error since the last time. */
static const char *get_said(void)
{
	static char text[256];
	ssize_t len = pread(2, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	return ftruncate(2, 0) || lseek(2, 0, SEEK_SET) ? "?" : text;
}

static int configure_tracing(const char *pattern, uint64_t events, bool warn)
{
	const struct trace_tracing_options options = {
		.pattern = pattern,
		.events = events,
		.warn = warn,
	};

	return trace_tracing_configure(&options);
}

static struct trace_tracing *make_tracing(const char *category)
{
	return trace_tracing_create(&category, 1);
}

static void test_errors(void)
{
	static const char *const holes[] = { "a", NULL };
	static const char *const commas[] = { "a,b" };

	errno = 0;
	tap_ok(!trace_tracing_create(NULL, 0) && errno == EINVAL,
	       "an object has at least one category");
	errno = 0;
	tap_ok(!trace_tracing_create(holes, 2) && errno == EINVAL,
	       "a category is a text");
	errno = 0;
	tap_ok(!trace_tracing_create(commas, 1) && errno == EINVAL,
	       "a category has no comma");
	errno = 0;
	memory_fail(1);
	tap_ok(!make_tracing("a") && errno == ENOMEM, "an object needs memory");
	memory_fail(0);
}

static void test_texts(void)
{
	static const char *const letters[] = {
		"the-first", "b", "",  "d", "e", "f", "g", "h", "i", "j", "k",
		"l",	     "m", "n", "o", "p", "q", "r", "s", "t", "u", "v",
	};
	struct trace_tracing *tracing = trace_tracing_create(letters, 22);

	tap_str(trace_tracing_categories(tracing),
		"the-first,b,,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v",
		"an object's categories are all it was given");
	tap_ok(!trace_tracing_is_enabled(tracing) && !memory_broken,
	       "and it is not enabled");
	trace_tracing_destroy(tracing);
	trace_tracing_destroy(NULL);
	tap_ok(!memory_live && !*get_notes(),
	       "what is destroyed leaves nothing");
}

static void test_enabling(void)
{
	struct trace_tracing *a = make_tracing("a"), *b = make_tracing("b"),
			     *c = make_tracing("c");
	int live;

	errno = EDOM;
	world.file = EBUSY;
	tap_ok(trace_tracing_enable(a) == EBUSY && errno == EDOM,
	       "an object may not be enabled");
	tap_ok(!trace_tracing_is_enabled(a), "then it is as before");
	tap_str(get_notes(), "file trace.${rotation}.json a silent 0 1; ",
		"a file is what it needs");
	world.file = 0;
	memory_fail(1);
	tap_int(trace_tracing_enable(a), ENOMEM, "and for memory");
	memory_fail(0);
	tap_ok(!trace_tracing_is_enabled(a) && !*get_notes(),
	       "before the file");
	tap_ok(!trace_tracing_enable(a) && trace_tracing_is_enabled(a) &&
		       errno == EDOM,
	       "it may be enabled later");
	get_notes();
	trace_tracing_enable(b);
	tap_str(get_notes(), "change a,b; ", "a second one has the same file");
	live = memory_live;
	trace_tracing_disable(b);
	trace_tracing_enable(b);
	tap_int(memory_live, live, "again and again");
	get_notes();
	world.change = ENOMEM;
	tap_ok(trace_tracing_disable(b) == ENOMEM &&
		       trace_tracing_is_enabled(b),
	       "what can't be disabled stays enabled");
	world.change = 0;
	tap_ok(!trace_tracing_enable(b), "which it is already");
	tap_str(get_notes(), "change a; ", "so nothing happens");
	trace_tracing_enable(c);
	get_notes();
	trace_tracing_destroy(b);
	tap_str(get_notes(), "change a,c; ", "who is destroyed is disabled");
	trace_tracing_destroy(c);
	tap_str(get_notes(), "change a; ", "wherever it stands");
	errno = EDOM;
	trace_tracing_destroy(a);
	tap_ok(errno == EDOM && !memory_broken, "errno survives it");
	tap_str(get_notes(), "change ; end 1; ",
		"with the last one the file ends");
	b = make_tracing("b");
	trace_tracing_destroy(make_tracing("d"));
	trace_tracing_destroy(b);
	tap_str(get_notes(), "", "where there is none nothing ends");
}

static void test_many_without_memory(void)
{
	struct trace_tracing *objects[40];
	int i, live = memory_live;

	for (i = 0; i < 40; i++)
		trace_tracing_enable(objects[i] = make_tracing("a"));
	tap_ok(!memory_broken, "there is room for many");
	for (i = 0; i < 40; i++)
		trace_tracing_destroy(objects[i]);
	tap_ok(memory_live - live <= 2, "which they give back");
	get_notes();
}

static void test_options(void)
{
	struct trace_tracing *a = make_tracing("a");
	int live = memory_live;

	tap_int(configure_tracing("pattern", 7, true), 0,
		"files may be told of");
	tap_int(configure_tracing("pattern-2", 8, true), 0, "more than once");
	tap_int(memory_live, live + 1, "the last time counts");
	trace_tracing_enable(a);
	tap_str(get_notes(), "file pattern-2 a trace_tracing_enable 8 1; ",
		"when the next one is opened");
	tap_int(configure_tracing("pattern-3", 9, false), EBUSY,
		"not while it is written");
	tap_int(memory_live - live, 1, "nor is it kept for later");
	trace_tracing_destroy(a);
	memory_fail(1);
	tap_int(configure_tracing("pattern-4", 9, false), ENOMEM,
		"a name needs memory");
	memory_fail(0);
	tap_int(file->rotation, 1, "files are counted");
	configure_tracing(NULL, 9, false);
	tap_ok(!file->rotation && !memory_broken, "each name has its own");
	get_notes();
	a = make_tracing("a");
	trace_tracing_enable(a);
	tap_str(get_notes(), "file trace.${rotation}.json a silent 9 1; ",
		"no name is the name of before");
	trace_tracing_destroy(a);
	configure_tracing(NULL, 0, true);
	get_notes();
}

static void test_many(void)
{
	struct trace_tracing *objects[12];
	int i;

	get_said();
	for (i = 0; i < 11; i++)
		trace_tracing_enable(objects[i] = make_tracing("a"));
	tap_str(get_said(),
		"warning: trace2: 11 tracing objects are enabled: some may "
		"have been forgotten\n",
		"more than ten are warned of");
	objects[11] = make_tracing("a");
	trace_tracing_enable(objects[11]);
	get_said();
	trace_tracing_disable(objects[11]);
	tap_str(get_said(), "", "but not of one less");
	for (i = 0; i < 12; i++)
		trace_tracing_destroy(objects[i]);
	configure_tracing(NULL, 0, false);
	for (i = 0; i < 12; i++)
		trace_tracing_enable(objects[i] = make_tracing("a"));
	tap_str(get_said(), "", "or where nobody wants to know");
	for (i = 0; i < 12; i++)
		trace_tracing_destroy(objects[i]);
	configure_tracing(NULL, 0, true);
	get_notes();
}

/* While a file is opened all is locked. */
static struct trace_tracing *other;

static void fork_now(void)
{
	world.inside = NULL;
	locks_wrong = 0;
	in_child();
	trace_tracing_is_enabled(other);
	tap_int(locks_wrong, 0, "in a child nothing is locked");
}

static void test_processes(void)
{
	struct trace_tracing *a = make_tracing("a");

	trace_tracing_enable(a);
	at_exit(0);
	at_exit(0);
	tap_str(get_notes(),
		"file trace.${rotation}.json a trace_tracing_enable 0 1; "
		"end 1; ",
		"a process that ends ends its file");
	in_child();
	tap_str(get_notes(), "forget 1; ", "a child forgets it");
	tap_ok(!trace_tracing_is_enabled(a) && !file->rotation,
	       "and has enabled nothing");
	world.pid = 78;
	trace_tracing_enable(a);
	tap_str(get_notes(),
		"file trace.${rotation}.json a trace_tracing_enable 0 nested "
		"1; ",
		"it has another file");
	at_exit(0);
	in_child();
	trace_tracing_enable(a);
	get_notes();
	in_child();
	at_exit(0);
	tap_str(get_notes(), "forget 1; ", "unless it has none");
	tap_int(locks_wrong, 0, "each lock is taken and given back");
	other = make_tracing("b");
	world.inside = fork_now;
	trace_tracing_enable(a);
}

static void test_flush(void)
{
	get_notes();
	errno = EDOM;
	trace_tracing_flush(true);
	tap_str(get_notes(), "flush; ", "a flush may wait");
	trace_tracing_flush(false);
	tap_str(get_notes(), "call; ", "or only wake the agent");
	tap_int(errno, EDOM, "and keeps errno");
}

int main(void)
{
	static struct trace_observer observer;
	static struct tr2_host host;
	FILE *errors = tmpfile();

	host = tr2_host_system;
	memory_install(&host);
	memory_keeps = 1;
	host.at_exit = note_at_exit;
	host.getpid = tell_pid;
	world.pid = 77;
	dup2(fileno(errors), 2);
	tap_run(test_errors, test_texts, test_enabling,
		test_many_without_memory, test_options, test_many, test_flush);
	trace_tracing_observe(&observer);
	trace_tracing_unobserve(&observer);
	tap_str(get_notes(), "observe 1; unobserve 1; ",
		"the agent has observers");
	tap_ok(!trace_tracing_enabled_categories(), "and asks for nothing");
	world.categories = "";
	tap_ok(!trace_tracing_enabled_categories(), "or has clients that do");
	world.categories = "a,b";
	tap_str(trace_tracing_enabled_categories(), "a,b", "or more");
	test_processes();
	return tap_done();
}
