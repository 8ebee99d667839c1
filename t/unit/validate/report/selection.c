/* Which findings are wanted: --select, --ignore and the class of emitters. */
#include "validate/report/selection.h"

#include "kit/validate.h"
#include "rules/rules.h"

static struct tr2_selection selection;

/* The word that fits no rule; "" if each does. */
static const char *add_list(const char *list, bool select)
{
	static char kept[64];
	char *word = tr2_selection_add(&selection, list, select);

	snprintf(kept, sizeof(kept), "%s", word ? word : "");
	free(word);
	return kept;
}

static bool is_wanted(const char *id)
{
	return tr2_selection_has(&selection, id);
}

static void begin_anew(void)
{
	tr2_selection_release(&selection);
	selection = (struct tr2_selection){ 0 };
}

static void test_unknown(void)
{
	tap_str(add_list("json,jsom,stream", true), "jsom",
		"a word that fits no rule is returned");
	begin_anew();
	tap_str(add_list("json.comp", true), "json.comp",
		"a part of a name is no word");
	tap_str(add_list("", true), "", "no word fits no rule");
	tap_ok(!selection.selects && !selection.words.count,
	       "and a word that fits none selects nothing");
	begin_anew();
}

/* `json.compact` binds two classes, and `json.compact.min` the third. */
static void test_classes(void)
{
	selection.classes = TR2_CLASS_MIN;
	tap_ok(is_wanted("json.compact.min") && !is_wanted("json.compact"),
	       "a class has its rules");
	selection.classes = TR2_CLASS_FULL;
	tap_ok(!is_wanted("json.compact.min") && is_wanted("json.compact"),
	       "another class has others");
	tap_ok(is_wanted("consumer.flamechart.verdict"),
	       "a rule that is none for emitters is asked of all");
	tap_ok(is_wanted("no.rule"), "a finding without a rule is wanted");
	add_list("json.compact", false);
	tap_ok(!is_wanted("json.compact"), "a class may be asked in part");
	begin_anew();
}

int main(void)
{
	tap_run(test_unknown, test_classes);
	return tap_done();
}
