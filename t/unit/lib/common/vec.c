/* Items one after the other, of which there are more and more. */
#include "kit/validate.h"

#include "lib/common/vec.h"

struct item {
	char bytes[12];
};

static int is_filled(const struct item *item, int byte)
{
	struct item filled;

	memset(&filled, byte, sizeof(filled));
	return !memcmp(item, &filled, sizeof(filled));
}

static void test_vec_clear(void)
{
	struct tr2_vec vec = { 0 };
	void *items;
	size_t i;

	for (i = 0; i < 65; i++)
		tr2_vec_add(&vec, 12);
	tr2_vec_clear(&vec);
	tap_ok(!vec.items && !vec.count && !vec.room,
	       "the memory of many items is given back");
	for (i = 0; i < 64; i++)
		memset(tr2_vec_add(&vec, 12), 1, 12);
	items = vec.items;
	tr2_vec_clear(&vec);
	tap_ok(vec.items == items && vec.room == 64 && !vec.count,
	       "the memory of few items is kept");
	tap_ok(tr2_vec_add(&vec, 12) == items, "items begin over when dropped");
	tr2_vec_release(&vec);
	tap_ok(!vec.items && !vec.count && !vec.room,
	       "released items leave nothing");
}

static void test_vec_without_memory(void)
{
	struct tr2_vec vec = { 0 };
	struct item *item, *items;
	size_t i, wrong = 0;

	kit_has_none = 1;
	tap_ok(!tr2_vec_try_add(&vec, sizeof(*item)) && !vec.count && !vec.room,
	       "without memory no first item is added");
	kit_has_none = 0;
	for (i = 0; i < 4; i++) {
		item = tr2_vec_try_add(&vec, sizeof(*item));
		wrong += !item;
		memset(item, (int)i, sizeof(*item));
	}
	kit_has_none = 1;
	tap_ok(!wrong && !tr2_vec_try_add(&vec, sizeof(*item)) &&
		       vec.count == 4 && vec.room == 4,
	       "without memory no room is made");
	kit_has_none = 0;
	item = tr2_vec_try_add(&vec, sizeof(*item));
	items = vec.items;
	for (i = 0; i < 4; i++)
		wrong += !is_filled(items + i, (int)i);
	tap_ok(item == items + 4 && !wrong, "and those there are stay");
	tr2_vec_release(&vec);
}

static void test_vec_renew(void)
{
	struct tr2_vec vec = { 0 };
	struct item *item, *items;

	memset(tr2_vec_add(&vec, sizeof(*item)), 1, sizeof(*item));
	item = tr2_vec_renew(&vec, 1, sizeof(*item));
	items = vec.items;
	tap_ok(item == items + 1 && vec.count == 2 && is_filled(item, 0) &&
		       is_filled(items, 1),
	       "the item behind the last one is added as zeros");
	memset(item, 2, sizeof(*item));
	item = tr2_vec_renew(&vec, 0, sizeof(*item));
	tap_ok(item == items && vec.count == 2 && is_filled(item, 0) &&
		       is_filled(items + 1, 2),
	       "an item that is there becomes zeros");
	tr2_vec_release(&vec);
}

int main(void)
{
	tap_run(test_vec_clear, test_vec_without_memory, test_vec_renew);
	return tap_done();
}
