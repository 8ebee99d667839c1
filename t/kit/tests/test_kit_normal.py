"""The normaliser of the kit: what becomes a word, and what must not."""

import pytest

from kit import normal

SID = b"20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
TIME = b"2026-01-14T09:30:42.112403Z"
CLOCK = b"09:30:42.112403 "
SECONDS = ("t_abs", "t_rel", "t_total", "t_min", "t_max")

# An event without its braces, and what it becomes. The first ones change;
# the others are of a form that is not allowed, or are what is to be judged.
EVENTS = [
    (b'"sid":"' + SID + b'"', b'"sid":"SID"'),
    (b'"sid":"' + SID + b"/" + SID + b'"', b'"sid":"SID/SID"'),
    (b'"sid":"20260114T093042.112358Z-Localhost-P00001f40"', b'"sid":"SID"'),
    (b'"time":"' + TIME + b'"', b'"time":"TIME"'),
    (b'"thread":"m","file":"a.c","line":7', b'"thread":"m"'),
    (b'"thread":"m","file":"\\"\\\\","line":0,"repo":1',
     b'"thread":"m","repo":1'),
    *((b'"%s":0.000042' % key.encode(), b'"%s":SECONDS' % key.encode())
      for key in SECONDS),
    (b'"pid":4711,"code":0', b'"pid":PID,"code":0'),
    (b'"evt":"4","exe":"2.55.0"', b'"evt":"4","exe":VERSION'),
    (b'"ancestry":["a","b\\"]"]', b'"ancestry":ANCESTRY'),
    (b'"argv":["/x y/test-tool","a"]', b'"argv":["test-tool","a"]'),
]
KEPT_EVENTS = [
    b'"sid":"20260114T093042Z-Hc4f2e1a9-P00001f40"',
    b'"sid":"20260114T093042.112358Z-HC4F2E1A9-P00001f40"',
    b'"sid":"x-' + SID + b'"',
    b'"time":"2026-01-14T09:30:42Z"',
    b'"time":"2026-01-14 09:30:42.112403Z"',
    b'"file":"a.c","code":7',
    b'"thread":"m","file":"a.c","line":"7"',
    b'"thread":"m","file":"a.c"',
    b'"t_abs":0.00042',
    b'"t_abs":"0.000042"',
    b'"t_abs":4.2e-05',
    b'"t_abs":-0.000042',
    b'"code":0',
    b'"value":0.000042',
    b'"pid":-1',
    b'"pid":0',
    b'"pid":"4711"',
    b'"ancestry":[]',
    b'"argv":["/x/other","test-tool"]',
    b'"msg":"\\"t_abs\\":0.000042,\\"pid\\":7,"',
]


@pytest.mark.parametrize("text, word", EVENTS)
def test_a_value_of_an_event_becomes_a_word(text, word):
    assert normal.event(b"{%s}" % text) == b"{%s}" % word


@pytest.mark.parametrize("text", KEPT_EVENTS)
def test_a_value_of_an_event_of_a_wrong_form_stays(text):
    assert normal.event(b"{%s}" % text) == b"{%s}" % text


PAYLOADS = [
    (b"version 2.55.0 (x)", b"version VERSION"),
    (b"cmd_ancestry a <- b c", b"cmd_ancestry ANCESTRY"),
    (b"exit elapsed:0.000042 code:0", b"exit elapsed:SECONDS code:0"),
    (b"timer a/b intervals:2 total:0.000003 min:0.000001 max:12.000002",
     b"timer a/b intervals:2 total:SECONDS min:SECONDS max:SECONDS"),
    (b"child_exit[0] pid:4711 code:0 elapsed:1.000000",
     b"child_exit[0] pid:PID code:0 elapsed:SECONDS"),
    (b"start /usr/lib/test-tool trace2", b"start test-tool trace2"),
    (b"child_start[0] /a/test-tool trace2",
     b"child_start[0] test-tool trace2"),
]
KEPT_PAYLOADS = [
    b"version ", b"cmd_ancestry ", b"exit elapsed:0.00042 code:0",
    b"exit elapsed:.000042 code:0", b"exit elapsed: 0.000042 code:0",
    b"child_exit[0] pid:-1 code:-1", b"child_exit[0] pid: 7 code:0",
    b"child_start[0] /a/other trace2", b"error version", b"start a/test-tool",
]


@pytest.mark.parametrize("text, words", PAYLOADS)
def test_a_payload_becomes_words_and_loses_its_prefix(text, words):
    assert normal.payload(text) == words
    assert normal.normal(text) == words
    assert normal.normal(CLOCK + b"a.c:7" + 29 * b" " + text) == words
    assert normal.normal(CLOCK + 40 * b"x" + b":7 " + text) == words
    assert normal.normal(CLOCK + 34 * b" " + text) == words


@pytest.mark.parametrize("text", KEPT_PAYLOADS)
def test_a_payload_of_a_wrong_form_stays(text):
    assert normal.payload(text) == text


@pytest.mark.parametrize("prefix", [
    b"09:30:42 a.c:7 ", b"9:30:42.112403 a.c:7 ", CLOCK, CLOCK + b"a.c ",
    CLOCK + b"a.c:7", CLOCK + 33 * b" ", b" ",
])
def test_a_prefix_of_a_wrong_form_stays(prefix):
    assert normal.normal(prefix + b"alias") == prefix + b"alias"


def columns(event, t_abs, category, payload):
    return b" | ".join([b"d0", b"main".ljust(24), event.ljust(12), b"   ",
                        t_abs, 9 * b" ", category.ljust(12), payload])


ROWS = [
    ((b"exit", b" 0.000042", b"", b"code:0"),
     (b"exit", b"SECONDS", b"", b"code:0")),
    ((b"exit", b"123.000042", b"", b"code:0"),
     (b"exit", b"SECONDS", b"", b"code:0")),
    ((b"version", 9 * b" ", b"", b"2.55.0"),
     (b"version", 9 * b" ", b"", b"VERSION")),
    ((b"cmd_ancestry", 9 * b" ", b"", b"ancestry:[a 'b c']"),
     (b"cmd_ancestry", 9 * b" ", b"", b"ancestry:[ANCESTRY]")),
    ((b"start", b" 0.000042", b"", b"/a/test-tool trace2"),
     (b"start", b"SECONDS", b"", b"test-tool trace2")),
    ((b"child_exit", b" 0.000042", b"", b"[ch0] pid:7 code:0"),
     (b"child_exit", b"SECONDS", b"", b"[ch0] pid:PID code:0")),
]
KEPT_ROWS = [
    (b"exit", b"0.00042  ", b"", b"code:0"),
    (b"exit", b" 0,000042", b"", b"code:0"),
    (b"version", 9 * b" ", b"", b""),
    (b"error", 9 * b" ", b"0.000042", b"2.55.0"),
    (b"cmd_ancestry", 9 * b" ", b"", b"ancestry:[]"),
]


@pytest.mark.parametrize("row, words", ROWS)
def test_columns_become_words_and_lose_time_and_place(row, words):
    brief = columns(*row)
    assert normal.perf(brief) == columns(*words)
    assert normal.perf(CLOCK + 28 * b"x" + b" | " + brief) == columns(*words)


@pytest.mark.parametrize("row", KEPT_ROWS)
def test_columns_of_a_wrong_form_stay(row):
    assert normal.perf(columns(*row)) == columns(*row)


def test_a_line_with_too_few_columns_stays():
    text = b"d0 | main | exit |  0.000042 | code:0"
    assert normal.perf(text) == text
    short = CLOCK + 27 * b"x" + b" | " + text
    assert normal.perf(short) == short
