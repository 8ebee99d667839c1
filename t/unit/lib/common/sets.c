/*
 * What the validator keeps in memory: what is known by hash, the sessions
 * that were seen, and what is selected.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "kit/validate.h"

#include "kit/memory.h"

#include "rules/known.h"
#include "lib/common/map.h"
#include "rules/rules.h"
#include "read/json/names.h"
#include "validate/report/selection.h"
#include "rules/stream/sids.h"
#include "lib/common/vec.h"

#define SIDS 6000

static void test_map_growth(void)
{
	struct tr2_map map = { 0 };
	struct tr2_map_slot *slot;
	uint64_t i, sum = 0, wrong = 0;

	for (i = 1; i <= 1000; i++) {
		slot = tr2_map_enter(&map, i * 16 - 1);
		wrong += slot->hash != i * 16 - 1;
		wrong += (slot->value | slot->line) != 0;
		slot->value = i;
		slot->line = 2 * i;
		wrong += i <= 12 && map.room != 16;
		wrong += i == 13 && map.room != 32;
		wrong += map.count != i;
	}
	for (i = 1; i <= 1000; i++) {
		slot = tr2_map_enter(&map, i * 16 - 1);
		wrong += slot->value != i;
		wrong += slot->line != 2 * i;
	}
	tap_int((intmax_t)wrong, 0, "a map keeps what it was given");
	tap_int((intmax_t)map.count, 1000, "a map counts each hash once");
	tap_int((intmax_t)map.room, 2048, "a quarter of a map stays free");
	for (slot = NULL, i = 0; (slot = tr2_map_next(&map, slot)); i++)
		sum += slot->value;
	tap_ok(i == 1000 && sum == 500500, "all of a map can be walked over");
	tr2_map_release(&map);
	tap_ok(!map.slots && !map.room && !map.count,
	       "a released map is empty");
}

static void test_map_ends(void)
{
	struct tr2_map map = { 0 };
	struct tr2_map_slot *zero;

	tap_ok(!tr2_map_next(&map, NULL), "an empty map has no slots");
	tap_ok(!tr2_map_value(&map, 5), "and no values");
	zero = tr2_map_enter(&map, 0);
	zero->value = 7;
	tap_ok(map.count == 1 && tr2_map_enter(&map, 0)->value == 7 &&
		       map.count == 1,
	       "a map takes 0 for a hash");
	tap_ok(tr2_map_value(&map, 0) == 7 && !tr2_map_value(&map, 1 + 16) &&
		       map.count == 1,
	       "a value is found, and what has none is not added");
	tap_ok(!tr2_map_enter(&map, 15)->value &&
		       !tr2_map_enter(&map, 31)->value && map.count == 3,
	       "hashes with the same place are kept apart");
	tap_ok(tr2_map_enter(&map, 31) == map.slots,
	       "behind the last slot of a map is the first one");
	tap_ok(tr2_map_next(&map, NULL) == map.slots &&
		       tr2_map_next(&map, zero) == map.slots + 15 &&
		       !tr2_map_next(&map, map.slots + 15),
	       "slots of a map come in their order");
	tap_ok(tr2_map_add(&map, 5) && !tr2_map_add(&map, 5) &&
		       !tr2_map_add(&map, 0) && map.count == 4,
	       "a hash is added once");
	tr2_map_release(&map);
}

static int sid_text(char *text, int number)
{
	return sprintf(text, "20260101T000000.000000Z-H%08x-P%08x",
		       (unsigned)number * 2654435761u, (unsigned)number);
}

static struct tr2_sid *found[SIDS];

static size_t add_sids(struct tr2_sids *sids)
{
	static const size_t rooms[][2] = {
		{ 1, 256 },   { 192, 256 }, { 193, 358 }, { 269, 358 },
		{ 270, 501 }, { 376, 501 }, { 377, 701 },
	};
	size_t i, len, wrong = 0, row = 0;
	char text[64];

	for (i = 0; i < SIDS; i++) {
		len = (size_t)sid_text(text, (int)i);
		wrong += tr2_sids_find(sids, tr2_sids_hash(text, len)) != NULL;
		found[i] = tr2_sids_add(sids, text, len);
		wrong += sids->count != i + 1;
		wrong += tr2_sids_add(sids, text, len) != found[i];
		wrong += sids->count != i + 1;
		if (row < 7 && sids->count == rooms[row][0])
			wrong += sids->room != rooms[row++][1];
		wrong += sids->room >> (sids->number_bits - 1) != 1;
		wrong += sids->chunks.count != i / 1024 + 1;
		wrong += found[i]->session != NULL;
		found[i]->names = i;
	}
	return wrong;
}

static void test_sids(void)
{
	struct tr2_sids sids = { 0 };
	struct tr2_hash hash;
	size_t i, len, wrong = add_sids(&sids);
	char text[64];

	tap_int((intmax_t)wrong, 0, "a session is added once");
	for (wrong = i = 0; i < SIDS; i++) {
		len = (size_t)sid_text(text, (int)i);
		hash = tr2_sids_hash(text, len);
		wrong += tr2_sids_find(&sids, hash) != found[i];
		wrong += found[i]->names != i;
		hash.b ^= TR2_SID_BITS;
		wrong += tr2_sids_find(&sids, hash) != found[i];
		hash.b ^= TR2_SID_BITS + 1;
		wrong += tr2_sids_find(&sids, hash) != NULL;
		hash = tr2_sids_hash(text, len);
		hash.a ^= 1;
		wrong += tr2_sids_find(&sids, hash) != NULL;
		hash.a ^= 1 + (UINT64_C(1) << 31);
		wrong += tr2_sids_find(&sids, hash) != NULL;
	}
	tap_int((intmax_t)wrong, 0, "sessions are found by their hash");
	for (wrong = i = 0; i < sids.room; i++)
		wrong += sids.index[i] && !(sids.index[i] >> sids.number_bits);
	tap_ok(wrong < SIDS / 100, "nearly all have some of it in the index");
	for (wrong = 0, i = 1; i < SIDS; i++)
		wrong += i % 1024 && found[i] != found[i - 1] + 1;
	tap_int((intmax_t)wrong, 0, "sessions lie in chunks");
	tap_ok(!sids.seen, "an added session was not seen yet");
	tr2_sids_release(&sids);
}

/* Are they found in an index after which nothing can be read? */
static bool are_found(struct tr2_sids *sids, struct tr2_sid *const *all,
		      size_t count)
{
	const size_t size = sids->room * sizeof(*sids->index);
	uint32_t *index = sids->index;
	size_t i, there = 0;
	char *end;

	memory_page(&end);
	sids->index = memcpy(end - size, index, size);
	for (i = 0; i < count; i++)
		there += tr2_sids_find(sids, all[i]->hash) == all[i];
	sids->index = index;
	return there == count;
}

/* The last place of an index is followed by the first one. */
static void test_wrap(void)
{
	struct tr2_sids sids = { 0 };
	struct tr2_sid *last[3];
	size_t len, count = 0;
	char text[64];
	int i;

	for (i = 0; count < 3; i++) {
		len = (size_t)sid_text(text, i);
		if (tr2_sids_hash(text, len).a >> 56 == 255)
			last[count++] = tr2_sids_add(&sids, text, len);
	}
	tap_ok(sids.room == 256 && sids.index[255] && sids.index[0] &&
		       sids.index[1] && !sids.index[2] && !sids.index[254],
	       "behind the last place is the first one");
	tap_ok(are_found(&sids, last, count), "there sessions are found, too");
	tr2_sids_release(&sids);
}

static void test_sid_bits(void)
{
	struct tr2_sids sids = { 0 };
	struct tr2_hash hash = tr2_sids_hash("s", 1);
	struct tr2_sid *sid;

	tap_ok(!tr2_sids_find(&sids, hash), "no session is found among none");
	tap_ok(hash.a && !(hash.b & TR2_SID_BITS) && hash.b,
	       "a session's hash has no bits of the session");
	sid = tr2_sids_add(&sids, "s", 1);
	tap_ok(sid->hash.a == hash.a && (sid->hash.b & ~TR2_SID_BITS) == hash.b,
	       "a session has its hash");
	tap_int((intmax_t)(sid->hash.b & TR2_SID_BITS), 0,
		"a new session of nobody known has no bits");
	sid = tr2_sids_add(&sids, "repohooks-P1", 12);
	tap_int((intmax_t)(sid->hash.b & TR2_SID_BITS),
		TR2_WRITER_REPOHOOKS << TR2_SID_WRITER_SHIFT,
		"a new session has nothing but its writer");
	sid = tr2_sids_add(&sids, "s", 1);
	tr2_sid_declare(sid, TR2_EVT_MAX);
	tr2_sid_set(sid, TR2_SID_TORN);
	tap_ok(tr2_sids_add(&sids, "s", 1) == sid &&
		       tr2_sid_evt(sid) == TR2_EVT_MAX &&
		       tr2_sid_has(sid, TR2_SID_TORN),
	       "a session keeps its bits");
	tr2_sids_release(&sids);
}

static void test_long_sids(struct tr2_sids *sids)
{
	char longest[320];
	struct tr2_sid *one, *two;

	memset(longest, 'x', sizeof(longest));
	one = tr2_sids_enter(sids, longest, 256);
	two = tr2_sids_enter(sids, longest, 257);
	tap_ok(one != two && sids->seen == 6, "long SIDs differ in their end");
	tap_ok(tr2_sids_enter(sids, longest, 256) == one &&
		       tr2_sids_enter(sids, longest, 257) == two &&
		       tr2_sids_enter(sids, longest, 257) == two &&
		       sids->seen == 6,
	       "long SIDs are known again");
	tap_ok(tr2_sids_enter(sids, longest, 256) == one &&
		       sids->last_len == 256 && sids->last_sid == one &&
		       sids->last_len == sizeof(sids->last),
	       "a SID that fits is kept as the last one");
	tr2_sids_enter(sids, longest, 320);
	tap_ok(sids->last_len == 256,
	       "a SID that does not fit is not kept as the last one");
	tr2_sids_enter(sids, "short", 5);
	memcpy(longest, "short", 5);
	tap_ok(tr2_sids_enter(sids, longest, 256) && sids->seen == 9,
	       "what is left of a longer SID is not looked at");
}

static void test_enter(void)
{
	struct {
		struct tr2_sids sids;
		char fence[64];
	} guarded;
	struct tr2_sids *sids = &guarded.sids;
	struct tr2_sid *one, *two;

	memset(&guarded, 0, sizeof(guarded));
	one = tr2_sids_enter(sids, "", 0);
	tap_ok(one && tr2_sids_enter(sids, "", 0) == one && sids->seen == 1,
	       "a session may have no name");
	sids->seen = 0;
	one = tr2_sids_enter(sids, "one", 3);
	tap_ok(tr2_sid_has(one, TR2_SID_SEEN) && sids->seen == 1,
	       "a session with an event was seen");
	two = tr2_sids_enter(sids, "two", 3);
	tap_ok(two != one && sids->seen == 2, "two sessions are two");
	tap_ok(tr2_sids_enter(sids, "two", 3) == two &&
		       tr2_sids_enter(sids, "one", 3) == one && sids->seen == 2,
	       "a session is counted once");
	tap_ok(tr2_sids_enter(sids, "on", 2) != one && sids->seen == 3,
	       "a session is no part of another one");
	tap_ok(tr2_sids_enter(sids, "\0\0", 2) !=
			       tr2_sids_enter(sids, "on", 2) &&
		       sids->seen == 4,
	       "a session's name may have any bytes");
	test_long_sids(sids);
	tap_ok(!guarded.fence[0], "nothing is written behind the last SID");
	sids->seen = 6;
	one = tr2_sids_add(sids, "added", 5);
	tap_ok(!tr2_sid_has(one, TR2_SID_SEEN) && sids->seen == 6 &&
		       tr2_sids_enter(sids, "added", 5) == one &&
		       sids->seen == 7,
	       "an added session is seen with its first event");
	tr2_sids_release(sids);
}

static void test_selection(void)
{
	struct tr2_selection selection = { 0 };
	char *wrong;

	tap_ok(tr2_selection_has(&selection, "input.json"),
	       "all is selected at first");
	tap_ok(!tr2_selection_add(&selection, "input,stream", false) &&
		       !tr2_selection_has(&selection, "input.json") &&
		       !tr2_selection_has(&selection, "stream.x") &&
		       tr2_selection_has(&selection, "event.start.argv"),
	       "what is ignored is not selected");
	tap_ok(!tr2_selection_add(&selection, "input.json", true) &&
		       tr2_selection_has(&selection, "input.json") &&
		       !tr2_selection_has(&selection, "input.bom") &&
		       !tr2_selection_has(&selection, "event.start.argv"),
	       "the longest prefix counts");
	tap_ok(!tr2_selection_add(&selection, "input.json", false) &&
		       !tr2_selection_has(&selection, "input.json"),
	       "of equal ones the last counts");
	tap_ok(!tr2_selection_add(&selection, "input", true) &&
		       !tr2_selection_has(&selection, "input.json") &&
		       tr2_selection_has(&selection, "input.bom"),
	       "a shorter one does not");
	wrong = tr2_selection_add(&selection, "event,inp,x", true);
	tap_str(wrong, "inp", "a part of a word is no prefix");
	tap_ok(tr2_selection_has(&selection, "event.start.argv"),
	       "what stood before it counts");
	free(wrong);
	wrong = tr2_selection_add(&selection, "", true);
	tap_str(wrong, "", "a list has words");
	free(wrong);
	tap_ok(!tr2_selection_add(&selection, tr2_rules[0].id, false) &&
		       !tr2_selection_has(&selection, tr2_rules[0].id),
	       "the first rule may be ignored");
	tr2_selection_release(&selection);
}

int main(void)
{
	test_map_growth();
	test_map_ends();
	test_sids();
	test_wrap();
	test_sid_bits();
	test_enter();
	test_selection();
	return tap_done();
}
