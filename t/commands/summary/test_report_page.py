"""`trace2 report`: the page's data without a browser, and the page in one."""

import base64
import hashlib
import json
import re

import pytest

import browser

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>',
                  re.S)
EVENT = {"thread": "main", "file": "a.c", "line": 1}
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\x1b[31m\u200f'\""


def log(events, sid="20261123T100000.000000Z-H01234567-P00000001"):
    """A log of (event, microseconds, fields)."""
    return "".join(json.dumps({
        "event": event, "sid": sid, **EVENT,
        "time": f"2026-11-23T10:00:{us // 10**6:02}.{us % 10**6:06}Z",
        **fields}) + "\n" for event, us, fields in events).encode()


def region(start, end, label, **fields):
    names = {"category": "cat", "label": label, "nesting": 1, **fields}
    return [("region_enter", start, names),
            ("region_leave", end, {**names, "t_rel": (end - start) / 1e6})]


def command(inner, end=1_000_000, name="status", code=0, **options):
    return log([
        ("version", 0, {"evt": "3", "exe": "2.55.0"}),
        ("start", 0, {"t_abs": 0, "argv": ["git", name]}),
        ("cmd_name", 0, {"name": name, "hierarchy": name}), *inner,
        ("exit", end, {"t_abs": end / 1e6, "code": code}),
        ("atexit", end, {"t_abs": end / 1e6, "code": code})], **options)


def child(start, end, pid, argv):
    return [("child_start", start, {"child_id": 0, "child_class": "?",
                                    "use_shell": False, "argv": argv}),
            ("child_exit", end, {"child_id": 0, "pid": pid, "code": 3,
                                 "t_rel": (end - start) / 1e6})]


@pytest.fixture
def report(execute, trace2):
    """The page of a log, and its data."""
    def make(text, code=0):
        done = execute([trace2, "report", "-o", "-", "-"], input=text)
        assert done.returncode == code, done.stderr
        page = done.stdout.decode()
        return page, json.loads(DATA.search(page)[1])
    return make


def family():
    sid = "20261123T100000.000000Z-H01234567-P00000001"
    inner = "20261123T100000.200000Z-H01234567-P00000002"
    enter, leave = region(100_000, 900_000, "outer")
    run = child(300_000, 700_000, 2, ["git", "gc"])
    return (command([enter, *run, leave], sid=sid) +
            log([("version", 350_000, {"evt": "3", "exe": "2.55.0"}),
                 ("start", 350_000, {"t_abs": 0, "argv": ["git", "gc"]}),
                 ("cmd_name", 350_000, {"name": "gc", "hierarchy": "gc"}),
                 ("error", 400_000, {"msg": "oh", "fmt": "oh"}),
                 ("data", 500_000, {"category": "c", "key": "k", "t_abs": 0.15,
                                    "t_rel": 0.15, "nesting": 1, "value": 7}),
                 ("atexit", 600_000, {"t_abs": 0.25, "code": 3})],
                sid=f"{sid}/{inner}"))


def test_the_page_has_spans_with_their_times(report):
    _, data = report(family())
    spans, texts = data["spans"], data["texts"]
    names = [texts[data["whats"][3 * what + 2]] for what in spans["what"]]
    assert names == ["outer", "git gc"]
    assert spans["start"] == [100_000, 200_000]
    assert spans["length"] == [800_000, 400_000]
    assert spans["codes"] == [1, 3]


def test_the_page_ties_a_process_to_the_span_that_ran_it(report):
    _, data = report(family())
    processes = data["processes"]
    assert processes["caller"] == [-1, 0]
    assert processes["span"] == [-1, 1]
    assert processes["start"] == [0, 350_000]
    assert processes["length"] == [1_000_000, 250_000]
    assert processes["code"] == [0, 3]


def test_the_page_has_data_and_errors_as_marks(report):
    _, data = report(family())
    texts, marks = data["texts"], data["marks"]
    found = [[texts[n] for n in data["keys"][2 * key:2 * key + 2]]
             + [texts[value]]
             for key, value in zip(marks["key"], marks["value"])]
    assert found == [["error", "", "oh"], ["c", "k", "7"]]
    assert marks["time"] == [50_000, 100_000]


def test_the_page_has_the_summary_that_the_command_prints(
        report, execute, trace2):
    _, data = report(family())
    done = execute([trace2, "summary", "--format", "json", "-"],
                   input=family())
    assert data["summary"] == json.loads(done.stdout)


def test_the_page_has_the_findings_of_validate(report, execute, trace2):
    _, data = report(family())
    done = execute([trace2, "validate", "--format", "json", "-"],
                   input=family())
    wanted = json.loads(done.stdout)["findings"]
    assert wanted
    assert data["findings"]["findings"] == wanted


def test_spans_without_an_end_last_until_their_process_ends(report):
    _, data = report(command(region(1, 2, "a")[:1]))
    assert data["spans"]["length"] == [999_999]
    assert data["spans"]["unclosed"] == [0]


def test_spans_of_a_brief_log_last_as_long_as_they_say(report):
    lines = [json.loads(line) for line in command(
        region(100, 500, "a") + region(500, 900, "b")).splitlines()]
    for line in lines:
        for key in ("time", "file", "line"):
            del line[key]
    _, data = report("".join(json.dumps(x) + "\n" for x in lines).encode())
    assert data["processes"]["timed"] == [0]
    assert data["spans"]["start"] == [0, 400]
    assert data["spans"]["length"] == [400, 400]


def test_regions_that_a_thread_leaves_open_end_with_it(report):
    on = {"thread": "th01:x"}
    _, data = report(command([
        ("thread_start", 10, on),
        ("region_enter", 20, {**on, "category": "c", "label": "l"}),
        ("thread_exit", 50, {**on, "t_rel": 0.00004})]))
    assert data["spans"]["length"] == [40, 30]
    assert data["spans"]["unclosed"] == [1]


def test_texts_of_a_log_cannot_end_the_data(report):
    page, data = report(command(region(1, 2, HOSTILE)))
    assert HOSTILE in data["texts"]
    assert page.count("</script>") == 2
    assert "\u202e" not in page and "\x1b" not in page


def test_the_policy_allows_this_script_and_style_alone(report):
    page, _ = report(family())
    policy = re.search(r'Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; ")
    for kind, tag in (("script-src", "script"), ("style-src", "style")):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        assert len(text) == 1
        digest = hashlib.sha256(text[0].encode()).digest()
        wanted = f"{kind} 'sha256-{base64.b64encode(digest).decode()}';"
        assert wanted in policy


def test_a_large_log_makes_a_page_of_few_bytes_an_event(report):
    inner = [event for i in range(20_000)
             for event in region(i * 40, i * 40 + 30, f"r{i % 50}")]
    page, data = report(command(inner))
    assert len(data["spans"]["start"]) == 20_000
    # 796,000 events are to make less than 20 MB.
    assert len(page) - 40_000 < len(inner) * 20_000_000 / 796_000


def test_a_page_replaces_the_old_one_only_when_it_is_complete(
        execute, trace2, tmp_path):
    page = tmp_path / "x.html"
    page.write_text("old")
    (tmp_path / "log").write_bytes(b"")
    done = execute([trace2, "report", "-o", page, tmp_path / "log"])
    assert done.returncode == 3
    assert b"this is an empty file" in done.stderr
    assert page.read_text() == "old"
    (tmp_path / "log").write_bytes(family())
    done = execute([trace2, "report", "--output", page, tmp_path / "log"])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert page.read_text().endswith("</html>\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["log", "x.html"]


def test_a_page_that_cannot_be_written_is_a_failure(
        execute, trace2, tmp_path):
    done = execute([trace2, "report", "-o", tmp_path / "no/x.html", "-"],
                   input=family())
    assert done.returncode == 3
    assert b"no/x.html" in done.stderr


def test_lines_that_are_no_events_make_the_exit_status_1(report):
    _, data = report(family() + b"{broken\n", code=1)
    assert data["summary"]["gaps"]["unread"] == 1


def test_help_names_the_option(execute, trace2):
    done = execute([trace2, "report", "--help"])
    assert done.returncode == 0
    assert b"-o, --output FILE" in done.stdout


def test_the_tour_shows_a_small_picture(root):
    name = "helper/views/page/report.png"
    assert f"](../{name})" in (root / "docs/tour.md").read_text()
    assert 10_000 < (root / name).stat().st_size < 150_000


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    if not browser.is_there():
        pytest.skip("no build/chromium: make chromium (by npm)")
    made = browser.Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.fixture
def show(chromium, report, tmp_path):
    """The page of a log, open in a browser, which asked for nothing else."""
    def make(text, scheme="light"):
        path = tmp_path / "page.html"
        path.write_text(report(text)[0])
        chromium.prefer(scheme)
        chromium.open(path)
        assert chromium.requests == [f"file://{path}"]
        assert chromium.complaints == []
        return chromium
    return make


def text_of(page, selector):
    return page.run(f"document.querySelector({json.dumps(selector)})"
                    ".textContent")


def test_the_first_lines_answer_where_the_time_went(show):
    page = show(command(region(100_000, 900_000, "slow")))
    assert "status took 1.000 s" in text_of(page, "#answer h2")
    assert text_of(page, "#answer li") == "80.0 %800.0 msregion cat/slow"


def test_a_browser_shows_tables_tree_and_findings(show):
    page = show(family())
    count = "document.querySelectorAll('{}').length"
    assert page.run(count.format("#table-commands tbody tr")) == 2
    assert page.run(count.format("#table-regions tbody tr")) == 1
    assert text_of(page, "#tree .soft") == " 1.000 s"
    page.run("showSpan(1)")
    assert "command linegit gc" in text_of(page, "#details")
    assert "exit code 3" in text_of(page, "#tree")
    assert page.run(count.format("#findings li")) > 0


def test_a_link_of_a_table_selects_the_longest_span(show):
    page = show(command(region(10, 50, "a") + region(100, 900, "a") +
                        region(1000, 1010, "a")))
    page.run("document.querySelector('#table-regions .link').click()")
    assert page.run("[selected, starts[selected]]") == [1, 100]
    assert "800 µs" in text_of(page, "#details")
    assert page.run("view.from < 100 && view.to > 900 && view.to < 1100")


def lanes_of(page):
    """The spans of each row of the timeline that is no process."""
    return page.run("rows.filter(row => row.process === undefined)"
                    ".map(row => row.spans.map(nameSpan).join(' '))")


def test_overlapping_children_share_few_lanes(show):
    names, inner = "abcdef", []
    for i, name in enumerate(names):
        begin, end = child(100 * i, 100 * i + 150, 100 + i, [name])
        inner += [(*begin[:2], {**begin[2], "child_id": i}),
                  (*end[:2], {**end[2], "child_id": i})]
    inner.sort(key=lambda event: event[1])
    assert lanes_of(show(command(inner))) == ["a c e", "b d f"]


def test_a_region_lies_below_the_one_around_it(show):
    begin, end = child(10, 120, 9, ["x"])
    page = show(command([
        begin, *region(50, 900, "a")[:1], *region(60, 200, "b")[:1], end,
        *region(130, 150, "c"), *region(60, 200, "b")[1:],
        *region(300, 400, "d"), *region(50, 900, "a")[1:]]))
    assert lanes_of(page) == ["x", "cat/a", "cat/b cat/d", "cat/c"]


def test_a_program_that_took_a_process_over_is_its_span(show, report):
    first = "20261123T100000.000000Z-H01234567-P00000001"
    text = log([("version", 0, {"evt": "3", "exe": "2.55.0"}),
                ("start", 0, {"t_abs": 0, "argv": ["git", "x"]}),
                ("exec", 100, {"exec_id": 0, "exe": "git",
                               "argv": ["git", "y"]})], sid=first)
    text += command([], end=1000, name="y", sid=f"{first}/{first}")
    data = report(text)[1]
    assert data["processes"]["span"] == [-1, 0]
    assert data["processes"]["length"] == [1000, 1000]
    assert data["processes"]["ended"] == [1, 1]
    assert data["spans"]["length"] == [900]
    assert data["spans"]["unclosed"] == []
    assert lanes_of(show(text)) == ["git y"]


def test_keys_select_spans_and_zoom(show):
    page = show(command(region(100_000, 200_000, "a")[:1] +
                        region(120_000, 150_000, "b") +
                        region(160_000, 170_000, "c") +
                        region(100_000, 200_000, "a")[1:]))
    page.run("canvas.focus()")
    names = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft",
                "ArrowUp"):
        page.press(key)
        names.append(page.run("nameSpan(selected)"))
    assert names[:1] + names[-1:] == ["cat/a", "cat/a"]
    assert set(names[1:-1]) == {"cat/b", "cat/c"}
    page.press("Enter")
    assert page.run("Math.round(view.to - view.from)") == 130_000
    page.press("0", "0")
    assert page.run("view.to - view.from >= 1e6")
    page.press("Escape")
    assert page.run("selected") == -1
    page.press("/", "/")
    assert page.run("document.activeElement.id") == "search"


def test_a_search_counts_and_shows_what_it_finds(show):
    page = show(command(region(10, 50, "apple") + region(100, 900, "pear") +
                        region(1000, 1010, "x", msg="An Apple")))
    page.run("byId('search').focus(); search('apple')")
    assert text_of(page, "#matches") == "2 found"
    page.press("Enter")
    page.press("Enter")
    assert text_of(page, "#matches") == "2 of 2"
    assert page.run("nameSpan(selected)") == "cat/x"


def test_hostile_texts_stay_texts(show):
    page = show(command(region(1, 500, HOSTILE, msg=HOSTILE), name=HOSTILE))
    assert page.run("document.images.length") == 0
    assert page.run("document.scripts.length") == 2
    page.run("document.querySelector('#table-regions .link').click()")
    for selector in ("#details", "#table-regions", "h1", "#tree"):
        shown = text_of(page, selector)
        assert "</script><img src=x" in shown
        assert "\\u202e\\u001b[31m\\u200f" in shown
        assert not re.search("[\u202e\u200f\x1b]", shown)


def test_the_policy_stops_a_request(show):
    page = show(family())
    blocked = page.run("""new Promise(done => {
        addEventListener('securitypolicyviolation',
            event => done(event.effectiveDirective));
        new Image().src = 'http://127.0.0.1:1/x.png'; })""")
    assert blocked == "img-src"


@pytest.mark.parametrize("scheme, dark", [("light", False), ("dark", True)])
def test_the_page_follows_the_colors_of_the_system(scheme, dark, show):
    page = show(family(), scheme)
    found = page.run("getComputedStyle(document.body).backgroundColor")
    first = int(re.search(r"\d+", found)[0])
    assert (first < 100) == dark


@pytest.mark.long("draws 100,000 spans")
def test_one_picture_of_many_spans_draws_few_bars(show):
    inner = [event for i in range(100_000)
             for event in region(i * 9, i * 9 + 8, "r")]
    page = show(command(inner))
    page.run("showAll(); draw()")
    drawn = page.run("""(() => { let count = 0, real = pen.fillRect;
        pen.fillRect = (...a) => { count++; real.apply(pen, a); };
        draw(); pen.fillRect = real; return count; })()""")
    assert page.run("spanCount") == 100_000
    assert 100 < drawn < 3_000


def test_on_paper_there_are_no_controls(show):
    page = show(family())
    page.call("Emulation.setEmulatedMedia", media="print")
    shown = page.run("getComputedStyle(document.querySelector('.bar'))"
                     ".display")
    page.call("Emulation.setEmulatedMedia", media="")
    assert shown == "none"
