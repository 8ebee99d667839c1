/* The test of Mann and Whitney, against published and counted results. */
#include <math.h>
#include <stdlib.h>

#include "kit/validate.h"

#include "lib/common/vec.h"
#include "views/diff/rank.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define TEST(a, b) \
	tr2_rank_test(sort_values(a, COUNT(a)), sort_values(b, COUNT(b)))

static int compare_numbers(const void *left, const void *right)
{
	return tr2_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

static struct tr2_rank_values sort_values(uint64_t *values, uint32_t count)
{
	qsort(values, count, sizeof(*values), compare_numbers);
	return (struct tr2_rank_values){ values, count };
}

static int is_close(double got, double want)
{
	if (fabs(got - want) <= 1e-9 + want * 5e-4)
		return 1;
	printf("# want %.9g, got %.9g\n", want, got);
	return 0;
}

/* Hollander and Wolfe (1973), p. 69: R's help of wilcox.test(). */
static void test_exact(void)
{
	uint64_t a[] = { 80, 83, 189, 104, 145, 138, 191, 164, 73, 146 };
	uint64_t b[] = { 115, 88, 90, 74, 121 };
	struct tr2_rank_result result = TEST(a, b);

	tap_ok(is_close(result.p, 2 * 0.1272061), "small samples are exact");
	tap_int(result.sign, -1, "the values of b are smaller");
	tap_int(TEST(b, a).sign, 1, "in the other order they are larger");
	tap_ok(is_close(TEST(b, a).p, result.p), "the order changes no p");
}

/* R's airquality, ozone in May and in August: R tells p = 0.0001208. */
static void test_large(void)
{
	uint64_t may[] = { 41, 36, 12, 18, 28, 23, 19, 8, 7,  16, 11, 14,  18,
			   14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37 };
	uint64_t august[] = { 39, 9,  16,  78, 35, 66,	122, 89, 110,
			      44, 28, 65,  22, 59, 23,	31,  44, 21,
			      9,  45, 168, 73, 76, 118, 84,  85 };
	struct tr2_rank_result result = TEST(may, august);

	tap_ok(is_close(result.p, 0.0001208), "large samples have ties");
	tap_int(result.sign, 1, "august has more ozone");
	tap_ok(is_close(TEST(august, may).p, result.p),
	       "the order changes no p of large samples");
}

static void fill_values(uint64_t *values, uint32_t count, uint64_t value)
{
	while (count--)
		values[count] = value;
}

/* Python's statistics of the same formula. */
static void test_large_ties(void)
{
	uint64_t a[22], b[22];

	fill_values(a, 22, 2);
	fill_values(a, 14, 1);
	fill_values(b, 22, 2);
	fill_values(b, 8, 1);
	tap_ok(is_close(TEST(a, b).p, 0.0759236658),
	       "large samples may consist of ties");
}

/* 3 of the 10 ways to choose 2 of 5 are at least as extreme on one side. */
static void test_ties(void)
{
	uint64_t a[] = { 1, 2 }, b[] = { 2, 2, 3 };
	uint64_t low[] = { 1, 1, 1 }, high[] = { 2, 2, 2, 2 };
	uint64_t one[] = { 2 }, two[] = { 1, 2 };

	tap_ok(is_close(TEST(a, b).p, 0.6), "ties are exact, too");
	tap_int(TEST(one, two).sign, -1, "half a rank is a difference");
	tap_ok(is_close(TEST(low, high).p, 2.0 / 35),
	       "two values are enough for a result");
}

static void test_equal(void)
{
	uint64_t few[2 * TR2_RANK_EXACT], many[2 * TR2_RANK_EXACT];
	struct tr2_rank_result result;

	fill_values(few, COUNT(few), 7);
	fill_values(many, COUNT(many), 7);
	result = TEST(few, many);
	tap_ok(is_close(result.p, 1), "equal values have p 1");
	tap_int(result.sign, 0, "neither sample is larger");
	result = tr2_rank_test(sort_values(few, TR2_RANK_EXACT),
			       sort_values(many, TR2_RANK_EXACT));
	tap_ok(is_close(result.p, 1), "equal values of small samples, too");
	many[0] = 8;
	result = TEST(few, many);
	tap_ok(result.p <= 1 && result.p > 0.3, "p is never more than 1");
}

/* At the limit; each result was also computed in Python. */
static void test_limit(void)
{
	uint64_t a[TR2_RANK_EXACT], b[TR2_RANK_EXACT + 1];
	double exact, about;
	uint32_t i;

	for (i = 0; i < COUNT(a); i++)
		a[i] = 10 * i;
	for (i = 0; i < COUNT(b); i++)
		b[i] = 10 * i + 45;
	exact = tr2_rank_test(sort_values(a, COUNT(a)),
			      sort_values(b, COUNT(b) - 1))
			.p;
	about = TEST(a, b).p;
	tap_ok(is_close(exact, 0.03041126), "20 and 20 values are exact");
	tap_ok(is_close(about, 0.01957785), "20 and 21 are approximated");
	tap_ok(is_close(TEST(b, a).p, about), "so are 21 and 20");
	tap_ok(is_close(tr2_rank_test(sort_values(a, COUNT(a)),
				      sort_values(b + 1, COUNT(a)))
				.p,
			0.00948361),
	       "a shift by ten is exact, too");
}

static void test_size(void)
{
	tap_ok(!tr2_rank_can_tell(3, 3), "three and three are too few");
	tap_ok(tr2_rank_can_tell(4, 4), "four and four are enough");
	tap_ok(tr2_rank_can_tell(3, 5), "56 ways are enough");
	tap_ok(!tr2_rank_can_tell(3, 4), "35 ways are too few");
	tap_ok(!tr2_rank_can_tell(38, 1), "one among 39 is too few");
	tap_ok(tr2_rank_can_tell(1, 39), "one among 40 is enough");
	tap_ok(tr2_rank_can_tell(2, 38) && tr2_rank_can_tell(38, 2),
	       "so are two among 40");
}

int main(void)
{
	test_exact();
	test_large();
	test_large_ties();
	test_ties();
	test_equal();
	test_limit();
	test_size();
	return tap_done();
}
