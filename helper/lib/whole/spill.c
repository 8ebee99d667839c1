#include "lib/whole/spill.h"

#include <unistd.h>

#include "lib/common/memory.h"

#define KEPT ((size_t)4 << 20) /* bytes of text that stay in memory */

static void write_out(struct tr2_spill *spill)
{
	if (!spill->file)
		spill->file = tmpfile();
	if (!spill->file ||
	    fwrite(spill->text.bytes, 1, spill->text.len, spill->file) !=
		    spill->text.len ||
	    fflush(spill->file)) {
		spill->full = true;
		return; /* and the text stays in memory */
	}
	spill->spilled += spill->text.len;
	tr2_buf_reset(&spill->text);
}

uint64_t tr2_spill_add(struct tr2_spill *spill, const char *text, size_t len)
{
	uint64_t at = spill->spilled + spill->text.len;

	tr2_buf_add(&spill->text, text, len);
	if (spill->text.failed)
		tr2_memory_out();
	if (spill->text.len >= KEPT && !spill->full)
		write_out(spill);
	return at;
}

static int read_file(const struct tr2_spill *spill, uint64_t at, size_t len,
		     struct tr2_buf *out)
{
	if (tr2_buf_grow(out, len))
		tr2_memory_out();
	if (pread(fileno(spill->file), out->bytes + out->len, len, (off_t)at) !=
	    (ssize_t)len)
		return -1;
	out->len += len;
	return 0;
}

int tr2_spill_read(const struct tr2_spill *spill, uint64_t at, size_t len,
		   struct tr2_buf *out)
{
	if (at < spill->spilled)
		return read_file(spill, at, len, out);
	tr2_buf_add(out, spill->text.bytes + (at - spill->spilled), len);
	return 0;
}

void tr2_spill_release(struct tr2_spill *spill)
{
	tr2_buf_release(&spill->text);
	if (spill->file)
		fclose(spill->file);
	*spill = (struct tr2_spill){ 0 };
}
