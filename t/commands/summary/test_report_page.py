"""`trace2 report`: the page's data, without a browser."""

import base64
import hashlib
import json
import re

import pytest

from page_logs import HOSTILE, command, family, read_data, region


@pytest.fixture
def report(execute, trace2):
    """The page of a log, and its data."""
    def make(text, code=0):
        done = execute([trace2, "report", "-o", "-", "-"], input=text)
        assert done.returncode == code, done.stderr
        page = done.stdout.decode()
        return page, read_data(page)
    return make


def test_the_page_has_spans_with_their_times(report):
    _, data = report(family())
    spans, texts = data["spans"], data["texts"]
    names = [texts[data["whats"][3 * what + 2]] for what in spans["what"]]
    assert names == ["outer", "git gc"]
    assert spans["start"] == [100_000, 200_000]
    assert spans["length"] == [800_000, 400_000]
    assert (data["few"]["span"], data["few"]["code"]) == ([1], [3])


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
    assert data["few"]["span"] == [0] and data["few"]["unclosed"] == [1]


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
    assert data["few"]["span"] == [1] and data["few"]["unclosed"] == [1]


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


def test_all_of_a_flame_graph_is_the_time_of_all_commands(report):
    second = command(region(1, 900, "a"), end=3000,
                     sid="20261123T100001.000000Z-H01234567-P00000007")
    _, data = report(command(region(5, 60, "b"), end=500) + second)
    assert sum(data["flame"]["self"]) == data["summary"]["wall_us"] == 3500


def test_logs_that_cannot_be_read_twice_make_no_comparison(execute, trace2):
    done = execute([trace2, "diff", "--format", "html", "-", "/dev/null"],
                   input=family())
    assert done.returncode == 2
    assert b"can be read twice" in done.stderr
