#include "model/totals/members.h"

#define HASH_BITS 64

static bool is_kept(uint64_t hash, unsigned shift)
{
	return !shift || (shift < HASH_BITS && !(hash >> (HASH_BITS - shift)));
}

void tr2_members_thin(struct tr2_members *held, unsigned shift)
{
	uint64_t *hash = held->hashes.items;
	uint32_t count = 0;

	if (shift <= held->shift)
		return;
	held->shift = shift;
	for (uint32_t i = 0; i < held->hashes.count; i++)
		if (is_kept(hash[i], shift))
			hash[count++] = hash[i];
	held->hashes.count = count;
}

void tr2_members_add(struct tr2_members *held, uint64_t hash)
{
	if (!is_kept(hash, held->shift))
		return;
	TR2_VEC_COPY(&held->hashes, uint64_t, hash);
	while (held->hashes.count > TR2_MEMBERS_MOST)
		tr2_members_thin(held, held->shift + 1);
}

uint32_t tr2_members_merge(struct tr2_members *held, struct tr2_members *more)
{
	const uint64_t *own, *other;
	uint32_t at = 0, count, common = 0;

	tr2_members_thin(held, more->shift);
	tr2_members_thin(more, held->shift);
	tr2_vec_sort_numbers(&held->hashes);
	tr2_vec_sort_numbers(&more->hashes);
	count = held->hashes.count;
	own = held->hashes.items;
	other = more->hashes.items;
	for (uint32_t i = 0; i < more->hashes.count; i++) {
		while (at < count && own[at] < other[i])
			at++;
		common += at < count && own[at] == other[i];
	}
	for (uint32_t i = 0; i < more->hashes.count; i++)
		tr2_members_add(held, other[i]);
	return common;
}
