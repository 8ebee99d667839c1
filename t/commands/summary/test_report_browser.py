"""`trace2 report` and `trace2 diff --format html`: the page in a browser."""

import json
import re

import pytest

import browser
from page_logs import (HOSTILE, child, command, family, log, read_data,
                       region, siblings)


@pytest.fixture
def report(execute, trace2):
    """The page of a log, and its data."""
    def make(text):
        done = execute([trace2, "report", "-o", "-", "-"], input=text)
        assert done.returncode == 0, done.stderr
        page = done.stdout.decode()
        return page, read_data(page)
    return make


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
    assert "status took 1.00 s" in text_of(page, "#answer h2")
    assert text_of(page, "#answer li") == "80.0%800 msregion cat/slow"


def test_the_first_line_says_what_a_command_hangs_in(show, root):
    page = show((root / "t/stories/clone-that-was-killed/log.event").read_bytes())
    assert "; when the log ends, clone is in git remote-http." in text_of(
        page, "#answer h2")


def test_a_browser_shows_tables_tree_and_findings(show):
    page = show(family())
    count = "document.querySelectorAll('{}').length"
    assert page.run(count.format("#table-commands tbody tr")) == 2
    assert page.run(count.format("#table-regions tbody tr")) == 1
    assert text_of(page, "#tree .soft") == " 1.00 s"
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
    return page.run("rows.filter(row => !row.processes.length)"
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
                ("exec", 0, {"exec_id": 0, "exe": "git",
                               "argv": ["git", "y"]})], sid=first)
    text += command([], end=1000, name="y", sid=f"{first}/{first}")
    data = report(text)[1]
    assert data["processes"]["span"] == [-1, 0]
    assert data["processes"]["length"] == [1000, 1000]
    assert data["processes"]["ended"] == [1, 1]
    assert data["spans"]["length"] == [1000]
    assert not any(data["few"]["unclosed"])
    assert lanes_of(show(text)) == ["git y"]


def test_processes_that_do_not_overlap_share_rows(show):
    page = show(siblings())
    assert page.run("rows.filter(row => row.processes.length)"
                    ".map(labelRow)") == ["▾ maintenance", "3 × gc", "repack"]
    assert "up to 3 processes at once" in text_of(page, "#facts")


def test_a_folded_process_is_one_row_until_a_span_in_it_is_shown(show):
    page = show(siblings())
    page.run("canvas.focus()")
    page.press("f", "f")
    assert page.run("rows.length") == 1
    page.run("select(0)")
    assert page.run("rows.length") > 3
    page.run("byId('fold').click()")
    assert page.run("rows.every(row => row.depth < 1 || "
                    "row.processes.length)")


def bars_of(page):
    return page.run("flame.bars.map(({node, depth}) => "
                    "'>'.repeat(depth) + node.name + ' ' + node.total)")


def test_the_flame_graph_adds_up_stacks_of_one_name(show):
    page = show(command(region(100, 300, "a") + region(400, 500, "a") +
                        region(500, 550, "b"), end=1000))
    assert bars_of(page) == ["all commands 1000", ">status 1000",
                             ">>cat/a 300", ">>cat/b 50"]
    page.run("focusFlame(flame.bars[2].node)")
    assert "how often" not in text_of(page, "#flame-details")
    assert "300 µs, 30.0% of all" in text_of(page, "#flame-details")
    page.run("byId('locate').click()")
    assert page.run("[selected, starts[selected]]") == [0, 100]


def test_the_flame_graph_turned_shows_who_called(show):
    page = show(siblings())
    page.run("byId('invert').click()")
    assert [bar for bar in bars_of(page) if bar.endswith(" 350")] == \
        [">repack 350", ">>git repack 350", ">>>maintenance 350"]
    assert page.run("byId('invert').getAttribute('aria-pressed')") == "true"


def test_a_box_adds_up_what_is_in_it(show):
    page = show(command(region(100, 300, "a") + region(400, 500, "a"),
                        end=1000))
    page.run("takeBox({from: 200, to: 450, top: 1, bottom: 1})")
    assert "250 µs selected" in text_of(page, "#details")
    assert text_of(page, "#details tbody tr") == "150 µs2100 µscat/a"


def test_the_address_keeps_what_is_selected(show):
    page = show(siblings())
    page.run("showSpan(2); setView(100, 700); turnFlame(true);"
             "search('gc')")
    page.run("new Promise(done => setTimeout(done, 300))")
    assert page.run("location.hash") == "#v=100_700&s=2&i=1&q=gc"
    page.call("Page.reload")
    page.run("new Promise(done => setTimeout(done, 300))")
    assert page.run("[selected, view.from, view.to, flame.inverted]") == \
        [2, 100, 700, True]
    assert text_of(page, "#matches") == "6 found"


def test_commands_that_ran_more_than_once_have_a_histogram(show):
    page = show(siblings())
    assert page.run("[...document.querySelectorAll('.histogram')]"
                    ".map(one => one.getAttribute('aria-label'))") == \
        ["3 runs: 100 µs to 100 µs"]


def test_a_banner_says_first_what_failed(show):
    page = show(command([("error", 5, {"msg": "no", "fmt": "no"})], code=128))
    assert "status failed, exit code 128: no" in text_of(page, ".banner")
    assert page.run("document.querySelector('#answer').firstChild.className"
                    ) == "banner"
    assert show(command([])).run("document.querySelector('.banner')") is None


def test_a_region_of_git_is_explained_when_it_is_selected(show):
    page = show(command(region(1, 500, "preload", category="index")))
    page.run("select(0)")
    shown = text_of(page, "#details")
    assert "git asks the system, in threads, for each file" in shown
    assert "core.preloadIndex" in shown
    page = show(command(region(1, 500, "preload")))
    page.run("select(0)")
    assert "what it is" not in text_of(page, "#details")


def test_a_phone_shows_all_without_scrolling_sideways(show):
    page = show(siblings())
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=800,
              deviceScaleFactor=1, mobile=True)
    try:
        page.run("new Promise(done => setTimeout(done, 100))")
        assert page.run("document.documentElement.scrollWidth") == 390
        assert page.run("canvas.clientWidth") > 350
    finally:
        page.call("Emulation.clearDeviceMetricsOverride")


@pytest.fixture
def compare(execute, trace2, tmp_path, chromium):
    def make(before, after):
        for name, text in (("a", before), ("b", after)):
            (tmp_path / name).write_bytes(text)
        done = execute([trace2, "diff", "--format", "html", tmp_path / "a",
                        tmp_path / "b"])
        assert (done.returncode, done.stderr) == (0, b"")
        path = tmp_path / "page.html"
        path.write_bytes(done.stdout)
        chromium.open(path)
        assert chromium.complaints == []
        return chromium
    return make


def test_a_comparison_shows_what_changed_and_both_flame_graphs(compare):
    page = compare(command(region(0, 300, "a"), end=1000),
                   command(region(0, 700, "a") + region(700, 800, "new"),
                           end=1500))
    assert "took 1.50 ms on average, 500 µs longer than before" in \
        text_of(page, "#compare h2")
    assert text_of(page, "#changes-commands tbody tr") == \
        "status1.00 ms1.50 ms+500 µs+50.0%1, 1few"
    assert page.run("flame.bars.map(({node}) => "
                    "[node.name, node.before, node.total])") == [
        ["one command", 1000, 1500], ["status", 1000, 1500],
        ["cat/a", 300, 700], ["cat/new", 0, 100]]
    assert page.run("processes.length[0]") == 1500


def test_equal_sets_without_a_date_are_called_so(compare):
    log = b"".join(
        b"10:00:0%d.000000 git.c:1 | d0 | main | %-12s |     |  %d.000000 |"
        b"           |              | %s\n" % (at, name, at, payload)
        for at, name, payload in ((0, b"version", b"2.55.0"),
                                  (0, b"start", b"git status"),
                                  (1, b"atexit", b"code:0")))
    page = compare(log, log)
    assert "took 1.00 s on average, as before." in \
        text_of(page, "#compare h2")
    assert text_of(page, "#facts").startswith("10:00:00, 1 process")


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
