/* <trace/event.h> in C++: the types of arguments are inferred. */
#include "kit/trace/trace.h"

#include <string>
#include <string_view>

namespace
{

enum class Color : uint8_t { green = 2 };
enum Plain { minus = -3 };

void start()
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
}

void test_integers()
{
	start();
	TRACE_INSTANT("cat", "signed", TRACE_SCOPE_THREAD, "char", 'A', "short",
		      static_cast<short>(-2), "int", -3, "long", -4L,
		      "long long", -5LL, "enum", minus);
	TRACE_INSTANT("cat", "unsigned", TRACE_SCOPE_THREAD, "byte",
		      static_cast<uint8_t>(1), "unsigned", 2u, "long", 3UL,
		      "bool", true, "enum", Color::green);
	tap_str(kit_lines(),
		"instant cat/signed char=int32:65 short=int32:-2 int=int32:-3 "
		"long=int64:-4 long long=int64:-5 enum=int32:-3\n"
		"instant cat/unsigned byte=uint32:1 unsigned=uint32:2 "
		"long=uint64:3 bool=bool:1 enum=uint32:2\n",
		"C++ integers are recorded by size and sign");
}

void test_scopes()
{
	start();
	TRACE_INSTANT("cat", "thread", TRACE_SCOPE_THREAD);
	TRACE_INSTANT("cat", "process", TRACE_SCOPE_PROCESS, "i", 1);
	TRACE_INSTANT("cat", "global", TRACE_SCOPE_GLOBAL, "s", "x");
	tap_str(kit_lines(),
		"instant cat/thread\n"
		"instant cat/process scope 1 i=int32:1\n"
		"instant cat/global scope 2 s=string:x\n",
		"C++ instants keep their scope");
}

struct Connection {
	explicit Connection(int id)
	{
		TRACE_DURATION_BEGIN("cat", "connection", "id", id);
	}

	~Connection()
	{
		TRACE_DURATION_END("cat", "connection", "reason",
				   std::string("gone"));
	}
};

void test_open_durations()
{
	start();
	{
		Connection *one = new Connection(7);

		TRACE_EVENT_BEGIN("cat", "inner");
		auto later = [] { TRACE_EVENT_END("cat", "inner", "n", 1u); };
		later();
		delete one;
	}
	tap_str(kit_lines(),
		"begin cat/connection id=int32:7\n"
		"begin cat/inner\n"
		"end cat/inner n=uint32:1\n"
		"end cat/connection reason=string:gone\n",
		"C++ durations begin and end in different functions");
}

void test_others()
{
	const char array[] = "array";
	char changing[] = "changing";
	const char *none = nullptr;
	void *pointer = reinterpret_cast<void *>(16);

	start();
	TRACE_INSTANT("cat", "real", TRACE_SCOPE_THREAD, "f", 0.5f, "d", 0.25);
	TRACE_INSTANT("cat", "text", TRACE_SCOPE_THREAD, "literal", "l",
		      "array", array, "changing", changing, "null", none);
	TRACE_INSTANT("cat", "class", TRACE_SCOPE_THREAD, "string",
		      std::string("s"), "view", std::string_view("view", 2));
	TRACE_INSTANT("cat", "pointer", TRACE_SCOPE_THREAD, "p", pointer,
		      "null", nullptr);
	TRACE_INSTANT("cat", "told", TRACE_SCOPE_THREAD, "koid", TA_KOID(9),
		      "text", TA_CHAR_ARRAY("abc", 2));
	tap_str(kit_lines(),
		"instant cat/real f=double:0.5 d=double:0.25\n"
		"instant cat/text literal=string:l array=string:array "
		"changing=string:changing null=string:\n"
		"instant cat/class string=string:s view=string:vi\n"
		"instant cat/pointer p=pointer:16 null=null\n"
		"instant cat/told koid=koid:9 text=string:ab\n",
		"C++ values of other types are recorded as what they are");
}

void add_in_scope(int &number)
{
	TRACE_DURATION("off", "off", "number", ++number);
	number += 10;
}

void test_duration()
{
	int number = 1;
	std::string kept = "kept";

	start();
	{
		TRACE_DURATION("cat", "scope", "number", number, "kept", kept,
			       "temporary", kept + " here, as a temporary");
		TRACE_DURATION("cat", "plain");
		add_in_scope(number);
	}
	tap_str(kit_lines(),
		"complete cat/plain\n"
		"complete cat/scope number=int32:1 kept=string:kept "
		"temporary=string:kept here, as a temporary\n",
		"a C++ duration keeps its arguments to the end of its scope");
	tap_int(number, 11,
		"C++ arguments that are not recorded are not "
		"evaluated");
	kit_all_on = 1;
	start();
	add_in_scope(number);
	kit_all_on = 0;
	tap_str(kit_lines(), "complete off/off number=int32:12\n",
		"C++ arguments that are recorded are evaluated once");
}

void leave_by_exception()
{
	TRACE_DURATION("cat", "thrown");
	throw 1;
}

void test_exception()
{
	start();
	try {
		leave_by_exception();
	} catch (int) {
		TRACE_INSTANT("cat", "caught", TRACE_SCOPE_THREAD);
	}
	tap_str(kit_lines(), "complete cat/thrown\ninstant cat/caught\n",
		"a C++ duration ends when an exception leaves it");
}

int fail(int how)
{
	if (how)
		throw how;
	return how;
}

void add_failing(int how)
{
	TRACE_DURATION("cat", "scope", "text", std::string("kept"), "number",
		       fail(how));
}

void test_argument_fails()
{
	start();
	try {
		add_failing(0);
		add_failing(2);
	} catch (int) {
		TRACE_INSTANT("cat", "caught", TRACE_SCOPE_THREAD);
	}
	tap_str(kit_lines(),
		"complete cat/scope text=string:kept number=int32:0\n"
		"instant cat/caught\n",
		"a C++ duration does not begin without its arguments");
}

template <typename T> void trace_generic(T value)
{
	auto later = [value] {
		TRACE_COUNTER("cat", "generic", 1, "value", value);
	};

	later();
}

void test_generic()
{
	start();
	trace_generic(1);
	trace_generic(0.5);
	if (TRACE_CATEGORY_ENABLED("cat"))
		TRACE_BLOB_EVENT("cat", "blob", "12", 2, "a", 1);
	tap_str(kit_lines(),
		"counter cat/generic #1 value=int32:1\n"
		"counter cat/generic #1 value=double:0.5\n"
		"blob-event cat/blob a=int32:1 <12>\n",
		"macros work in C++ templates and lambdas");
}

} // namespace

int main()
{
	test_integers();
	test_scopes();
	test_open_durations();
	test_others();
	test_duration();
	test_exception();
	test_argument_fails();
	test_generic();
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}
