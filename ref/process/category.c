/* The setting that lists categories. SPEC: chapter category.* */
#include "process/process.h"

#include <string.h>

#include "base/list.h"

#define OWN_CATEGORY "trace2" /* of events without a category */

void tr2_judge_category(struct tr2_event *event)
{
	const char *list = tr2_process.settings.categories;
	const char *category = event->category;

	if (!list || tr2_targets.enter_region)
		return;
	if (!category || !*category) /* SPEC: category.none */
		category = OWN_CATEGORY;
	event->is_unlisted = !tr2_list_has(list, category, strlen(category));
}
