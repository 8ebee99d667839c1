/* SIDs: only the host of a component is hidden. */
#include "redact/redactor/redactor_kit.h"

/* The components of one length that are as a SID's, and those that are not. */
static const struct {
	const char *sid, *shown;
} sids[] = {
	{ "20260114T093042.112358Z-Localhost-P00001f40", NULL },
	{ "20260114T093042.112358Z-localhost-P00001f40", "<host>" },
	{ "20260114X093042.112358Z-Localhost-P00001f40", "<host>" },
	{ "20260114T093042.112358Z-Localhost-P00001F40", "<host>" },
	{ "20260114T093042.112358Z-Localhost-P00001f4", "<host>" },
	{ "20260114T093042.112358Z-Localhost-P00001f40a", "<host>" },
	{ "repo-20261121T054055Z-P000031e7", NULL },
	{ "rep0-20261121T054055Z-P000031e7", "<host>" },
	{ "repo-2026112xT054055Z-P000031e7", "<host>" },
	{ "repo-20261121T05405xZ-P000031e7", "<host>" },
	{ "repo-20261121T054055Z-Q000031e7", "<host>" },
	{ "repo-20261121T054055Z-P000031eg", "<host>" },
	{ "repo-20261121T054055Z-P000031e", "<host>" },
	{ "repo-20261121T054055Z-P000031e77", "<host>" },
	{ "20260114T093042.112358z-Hc4f2e1a9-P00001f40", "<host>" },
	{ "x0260114T093042.112358Z-Hc4f2e1a9-P00001f40", "<host>" },
	{ "20260114T093042.112358Z-hc4f2e1a9-P00001f40", "<host>" },
	{ "20260114T093042.112358Z-Hc4f2e1aX-P00001f40", "<host>" },
	{ "20260114T093042.112358Z-HXc4f2e1a-P00001f40", "<host>" },
	{ "20260114T093042.112358Z-Hc4f2e1a9-p00001f40", "<host>" },
	{ "20260114T093042.112358Z-Hc4f2e1a9xP00001f40", "<host>" },
	{ "20260114T093042.112358Z-Hc4f2e1a9-P00001f4x", "<host>" },
	{ "20260114T093042.112358Z-Hc4f2e1a9-P00001f4", "<host>" },
	{ "20260114T093042.112358Z-Hc4f2e1a9-P00001f400", "<host>" },
	{ "2026", "<host>" },
	{ "", NULL },
};

static void test_components(void)
{
	char line[128], wanted[128];
	size_t i;

	for (i = 0; i < sizeof(sids) / sizeof(sids[0]); i++) {
		const char *end = sids[i].shown ? sids[i].shown : sids[i].sid;
		const char *got;

		snprintf(line, sizeof(line),
			 "{\"event\":\"exit\",\"sid\":\"%s/%s\"}", sids[i].sid,
			 sids[i].sid);
		snprintf(wanted, sizeof(wanted),
			 "{\"event\":\"exit\",\"sid\":\"%s/%s\"}", end, end);
		got = redact_line(H, line);
		if (!got || strcmp(got, wanted))
			tap_str(got, wanted, "a component is hidden");
		got = redact_line(ALL & ~H, line);
		if (!got || strcmp(got, line))
			tap_str(got, line, "a SID is kept where hosts are");
	}
	tap_ok(i > 20, "only a whole SID is shown with its parts");
}

int main(void)
{
	test_components();
	return tap_done();
}
