/* The data of a page as JSON, byte by byte. */
#include "views/page/page_kit.h"

#include "model/account/event.h"
#include "model/account/forest.h"
#include "views/page/spans.h"
#include "views/result/result.h"

/* The story has no forest, and no region of git. */
#define NO_FLAME                                                 \
	",\n\"flame\":{\"parent\":[],\"table\":[],\"first\":[]," \
	"\"second\":[],\"count\":[],\"self\":[]}\n,\"explained\":[]"

static struct tr2_buf data;

/* Returns the data up to the summary; valid until the next call. */
static const char *put_data(void)
{
	struct tr2_forest forest;
	struct tr2_result result;
	char *summary;

	end_page_story();
	tr2_forest_begin(&forest);
	tr2_forest_end(&forest);
	tr2_result_begin(&result, &forest);
	tr2_buf_reset(&data);
	tr2_page_data_put(&data, &story.spans, &result);
	tr2_buf_byte(&data, '\0');
	summary = strstr(data.bytes, ",\n\"summary\":{");
	tap_need(summary && strstr(summary, ",\n\"advice\":\""));
	*summary = '\0';
	tr2_result_release(&result);
	tr2_forest_release(&forest);
	release_page_story();
	return data.bytes;
}

static void test_page_data_empty(void)
{
	begin_page_story();
	tap_str(put_data(),
		"{\"version\":1,\"origin\":0,\"wall\":0,\n"
		"\"processes\":{\"sid\":[],\"name\":[],\"mode\":[],"
		"\"words\":[],\"argv\":[],\"version\":[],\"start\":[],"
		"\"length\":[],\"code\":[],\"ended\":[],\"timed\":[],"
		"\"caller\":[],\"span\":[],\"signal\":[]},\n"
		"\"threads\":{\"process\":[],\"name\":[]},\n"
		"\"spans\":{\"counts\":[],\"start\":[],\"length\":[],"
		"\"what\":[],\"notes\":[],\"codes\":[],\"unclosed\":[]},\n"
		"\"marks\":{\"counts\":[],\"time\":[],\"key\":[],"
		"\"value\":[]}\n"
		",\"whats\":[]\n,\"keys\":[]" NO_FLAME ",\"texts\":[\"\"]",
		"a page without processes has all columns");
}

static void tell_family(void)
{
	tell_page(GIT, 100, "version", "\"exe\":\"2.55\"");
	tell_page(GIT, 100, "start", "\"t_abs\":0,\"argv\":[\"git\",\"gc\"]");
	tell_page(GIT, 100, "cmd_name", "\"name\":\"gc\"");
	tell_page(GIT, 100, "cmd_mode", "\"name\":\"auto\"");
	tell_page(GIT, 110, "region_enter",
		  PAGE_REGION("c", "a") ",\"msg\":\"m\"");
	tell_page(GIT, 120, "region_leave", PAGE_REGION("c", "a"));
	story.thread = "th01";
	tell_page(GIT, 130, "region_enter", PAGE_REGION("c", "b"));
	story.thread = "main";
	tell_page(GIT, 140, "region_enter", PAGE_REGION("c", "a"));
	tell_page(GIT, 145, "region_leave", PAGE_REGION("c", "a"));
	tell_page(GIT, 150, "child_start", PAGE_CHILD("0", "\"x\""));
	tell_page(GIT, 170, "child_exit",
		  "\"child_id\":0,\"pid\":2,\"code\":-1");
	tell_page(GIT, 175, "child_start", PAGE_CHILD("1", "\"x\""));
	tell_page(GIT, 176, "child_exit",
		  "\"child_id\":1,\"pid\":9,\"code\":0");
	tell_page(GIT, 180, "data",
		  "\"category\":\"c\",\"key\":\"a\",\"value\":1");
	tell_page(GIT, 185, "data",
		  "\"category\":\"c\",\"key\":\"a\",\"value\":2");
	story.thread = "th01";
	tell_page(GIT, 190, "error", "\"msg\":\"oh\"");
	story.thread = "main";
	tell_page(CHILD, 155, "start", "\"t_abs\":0");
	tell_page(CHILD, 160, "region_enter", PAGE_REGION("c", "a"));
	tell_page(CHILD, 165, "signal", "\"signo\":9");
	tell_page(GIT, 200, "exit", "\"code\":3");
}

static void test_page_data_columns(void)
{
	begin_page_story();
	tell_family();
	tap_str(put_data(),
		"{\"version\":1,\"origin\":1768384800000,\"wall\":100,\n"
		"\"processes\":{\"sid\":[1,2],\"name\":[3,0],\"mode\":[4,0],"
		"\"words\":[5,0],\"argv\":[6,0],\"version\":[7,0],"
		"\"start\":[0,55],\"length\":[100,10],\"code\":[3,-1],"
		"\"ended\":[1,1],\"timed\":[1,1],\"caller\":[-1,0],"
		"\"span\":[-1,2],\"signal\":[0,9]},\n"
		"\"threads\":{\"process\":[0,0,1],\"name\":[8,9,8]},\n"
		"\"spans\":{\"counts\":[4,1,1],\"start\":[10,30,10,25,30,5],"
		"\"length\":[10,5,20,1,70,5],\"what\":[0,0,1,1,2,0],"
		"\"notes\":[0,15,2,16,3,16],\"codes\":[2,-1],"
		"\"unclosed\":[4,5]},\n"
		"\"marks\":{\"counts\":[2,1,0],\"time\":[80,5,90],"
		"\"key\":[0,0,1],\"value\":[18,19,20]}\n"
		",\"whats\":[0,10,11,1,12,13,0,10,14]\n"
		",\"keys\":[10,11,17,0]" NO_FLAME ",\"texts\":[\"\",\"" GIT
		"\",\"" CHILD
		"\",\"gc\",\"auto\",\"git gc\",\"[\\\"git\\\",\\\"gc\\\"]\","
		"\"2.55\",\"main\",\"th01\",\"c\",\"a\",\"?\",\"x\",\"b\",\"m\","
		"\"[\\\"x\\\"]\",\"error\",\"1\",\"2\",\"oh\"]",
		"a page has its data in columns");
}

static void test_page_data_hostile(void)
{
	begin_page_story();
	tell_page("\\u001b\\\"", 10, "start", "");
	tap_ok(strstr(put_data(), "\"texts\":[\"\",\"\\u001b\\\"\"]"),
	       "texts of a page are JSON");
}

int main(void)
{
	tap_run(test_page_data_empty, test_page_data_columns,
		test_page_data_hostile);
	tr2_buf_release(&data);
	return tap_done();
}
