/* A result as CSV: a header and rows for each table that has any. */
#include "views/summary/summary_kit.h"

static void test_empty(void)
{
	begin_rows();
	tap_str(write_rows(tr2_result_csv), "",
		"without rows there are no headers");
	end_rows();
}

static void test_tables(void)
{
	begin_rows();
	add_row(TR2_TABLE_ERRORS, "bad \"%s\"", "", SUMS(.count = 2));
	add_row(TR2_TABLE_DATA, "index", "entries",
		SUMS(.count = 3, .total = -7, .min = -9, .max = 4, .last = 1));
	add_row(TR2_TABLE_DATA, "=1", "a,b", SUMS(.count = 1));
	add_row(TR2_TABLE_PHASES, "other", "", SUMS(.self = 12));
	tap_str(write_rows(tr2_result_csv),
		"table,self_us,name\r\n"
		"phases,12,\"other\"\r\n"
		"table,count,sum,min,max,last,category,key\r\n"
		"data,3,-7,-9,4,1,\"index\",\"entries\"\r\n"
		"data,1,0,0,0,0,\"'=1\",\"a,b\"\r\n"
		"table,count,fmt\r\n"
		"errors,2,\"bad \"\"%s\"\"\"\r\n",
		"each table has its header and its rows");
	limits.top = 1;
	tap_str(write_rows(tr2_result_csv),
		"table,self_us,name\r\n"
		"phases,12,\"other\"\r\n"
		"table,count,sum,min,max,last,category,key\r\n"
		"data,3,-7,-9,4,1,\"index\",\"entries\"\r\n"
		"table,count,fmt\r\n"
		"errors,2,\"bad \"\"%s\"\"\"\r\n",
		"no more rows are written than are wanted");
	end_rows();
}

static void test_percentiles(void)
{
	struct tr2_row *row;

	begin_rows();
	row = add_row(TR2_TABLE_REGIONS, "index", "refresh",
		      SUMS(.count = 1, .threads = 2, .total = 9, .self = 8,
			   .max = 9));
	tr2_sketch_add(&row->sketch, 9);
	tap_str(write_rows(tr2_result_csv),
		"table,self_us,total_us,count,threads,max_us,category,label\r\n"
		"regions,8,9,1,2,9,\"index\",\"refresh\"\r\n",
		"quantiles of regions are left out");
	forest.percentiles = true;
	tap_str(write_rows(tr2_result_csv),
		"table,self_us,total_us,count,threads,p50_us,p90_us,p99_us,"
		"max_us,category,label\r\n"
		"regions,8,9,1,2,9,9,9,9,\"index\",\"refresh\"\r\n",
		"--percentiles adds quantiles of regions");
	end_rows();
}

int main(void)
{
	test_empty();
	test_tables();
	test_percentiles();
	return tap_done();
}
