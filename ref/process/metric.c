#include "process/metric.h"

#include "base/host.h"
#include "base/memory.h"

int tr2_metric_keep(struct tr2_metric *metric, const char *category,
		    const char *name, int per_thread)
{
	int kept;

	metric->category = tr2_memory_copy(category ? category : "");
	metric->name = tr2_memory_copy(name ? name : "");
	metric->per_thread = per_thread;
	kept = metric->category && metric->name;
	if (!kept) {
		tr2_host->free(metric->category);
		tr2_host->free(metric->name);
	}
	return kept;
}
