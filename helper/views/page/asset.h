/* asset.h - the page without its data, from page.html, page.css, script/. */
#ifndef TR2_PAGE_ASSET_H
#define TR2_PAGE_ASSET_H

#include <stddef.h>

/* What comes before the data, and after it. Neither ends with a NUL. */
extern const char tr2_page_head[], tr2_page_tail[];
extern const size_t tr2_page_head_len, tr2_page_tail_len;

#endif
