"""The WebAssembly module, the npm package and the page (make check-wasm)."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import browser
import elsewhere
import pytest

BUILD = elsewhere.BUILD
CLI = BUILD / "npm/bin/trace2.js"
STORIES = elsewhere.ROOT / "t/stories"
LOG = STORIES / "clock-set-back/log.event"

pytestmark = pytest.mark.skipif(
    not CLI.exists() or not (BUILD / "wasm/tokens.wasm").exists()
    or not shutil.which("node"),
    reason="make check-wasm builds what this needs, and Node")


def run_cli(*args, cli=CLI, **more):
    return subprocess.run(["node", str(cli), *map(str, args)],
                          capture_output=True, text=True, timeout=60,
                          check=False, **more)


def test_every_story_is_the_same_in_node():
    engine = elsewhere.NodeEngine()
    found, count = elsewhere.compare(engine)
    engine.close()
    assert count > 200
    assert not found


def test_the_module_has_at_most_1500000_bytes():
    assert (BUILD / "wasm/trace2.wasm").stat().st_size <= 1_500_000


def test_the_vectors_find_the_tokens_that_the_loop_finds():
    script = f"""
import {{ run }} from '{BUILD}/npm/lib/wasi.js';
import {{ nodeFiles }} from '{BUILD}/npm/lib/node-files.js';
import fs from 'node:fs';
const bytes = fs.readFileSync('{BUILD}/wasm/tokens.wasm');
process.exitCode = await run(await WebAssembly.compile(bytes),
    {{ args: ['tokens'], host: nodeFiles }});
"""
    done = subprocess.run(["node", "--input-type=module", "-e", script],
                          capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "random texts have the same tokens in both ways" in done.stdout


def test_the_help_names_only_what_the_module_can_do():
    shown = run_cli("--help")
    assert shown.returncode == 0
    assert "summary" in shown.stdout and "record" in shown.stdout
    assert "collect" not in shown.stdout and "doctor" not in shown.stdout


@pytest.mark.parametrize("args", [
    ["collect"], ["doctor"], ["manager"], ["trace", "x"], ["list-providers"],
    ["validate", "--listen", "af_unix:x"], ["validate", "--follow", str(LOG)],
])
def test_what_the_module_cannot_do_is_refused_in_one_sentence(args):
    refused = run_cli(*args)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    assert "not in the WebAssembly build" in refused.stderr


def test_a_log_from_a_pipe_is_read():
    shown = run_cli("summary", "-", input=LOG.read_text())
    assert shown.returncode == 0
    assert shown.stdout == run_cli("summary", LOG).stdout


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path):
    out = tmp_path / "out.html"
    out.write_text("old")
    out.chmod(0o640)
    assert run_cli("report", "-o", out, LOG).returncode == 0
    assert out.stat().st_mode & 0o777 == 0o640
    assert "Where the time went" in out.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]


def test_a_database_is_written(tmp_path):
    out = tmp_path / "out.db"
    assert run_cli("table", "--format", "sqlite", "-o", "out.db", LOG,
                   cwd=tmp_path).returncode == 0
    assert out.read_bytes().startswith(b"SQLite format 3\0")


def test_names_with_stars_are_expanded_where_the_shell_does_not(tmp_path):
    for name in ("a.event", "b.event", ".c.event"):
        (tmp_path / name).write_text("")
    done = subprocess.run(
        ["node", "--input-type=module", "-e",
         f"import {{ expandGlobs }} from '{BUILD}/npm/lib/glob.js';"
         "console.log(JSON.stringify(expandGlobs(process.argv.slice(1))))",
         "--", "summary", "*.event", "no*", "--by=*", "--", "*.event"],
        cwd=tmp_path, capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout) == [
        "summary", "a.event", "b.event", "no*", "--by=*", "--", "*.event"]


class TestWindows:
    """A disk C: whose names have no case, as windows.mjs makes one."""

    @pytest.fixture(autouse=True)
    def disk(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("DISK", str(tmp_path))
        for folder in ("logs/sub", "My Out", "Temp"):
            (tmp_path / folder).mkdir(parents=True)
        for name in ("logs/A.event", "logs/sub/b.event"):
            shutil.copy(LOG, tmp_path / name)

    def run(self, *args):
        script = Path(__file__).with_name("windows.mjs")
        return subprocess.run(["node", "--import", script, CLI, *args],
                              capture_output=True, text=True, timeout=60,
                              check=False)

    @pytest.mark.parametrize("name", [
        r"c:\LOGS\*.event", r"C:\logs\a.event", r"logs\su?\b.event", r"C:\logs\sub"])
    def test_a_log_of_windows_is_found(self, name):
        assert "1 command took 10.1 ms" in self.run("summary", name).stdout

    def test_outputs_are_written_where_windows_names_them(self):
        for args in (["report", r"-oC:\My Out\a.html", r"C:\logs\A.event"],
                     ["report", r"--output=My Out\b.html", r"logs\A.event"],
                     ["convert", r"C:\logs\A.event", r"C:\My Out\c.fxt"],
                     ["table", "--format=sqlite", r"-oMy Out\d.db", r"C:\logs"],
                     ["redact", "-o", r"C:\My Out\red", "C:\\logs\\"]):
            done = self.run(*args)
            assert done.returncode == 0, done.stderr
        assert sorted(path.name for path in Path("My Out").rglob("*.*")) == [
            "A.event", "a.html", "b.event", "b.html", "c.fxt", "d.db"]

    def test_a_finding_of_windows_has_a_uri(self):
        shown = self.run("validate", "--format=sarif", r"C:\logs\A.event")
        assert '"uri":"file:///C:/logs/A.event"' in shown.stdout

    def test_a_command_of_windows_is_recorded(self):
        done = self.run("record", r"-oC:\My Out\a.html", "--", "git", "version")
        assert done.returncode == 0, done.stderr
        assert "Where the time went" in Path("My Out/a.html").read_text()
        assert not list(Path("Temp").iterdir())

    def test_a_batch_file_is_explained(self):
        done = self.run("record", "npm.cmd", "ci")
        assert done.returncode == 126
        assert "run as `cmd /c NAME`" in done.stderr


class TestRecord:
    """`trace2 record` in JavaScript."""

    @pytest.fixture(autouse=True)
    def repository(self, tmp_path, monkeypatch):
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
        monkeypatch.chdir(tmp_path)

    def test_the_log_of_a_command_is_valid_and_answered(self):
        done = run_cli("record", "--answer", "--", "git", "status")
        assert done.returncode == 0
        assert "1 command took" in done.stderr
        assert "nothing to commit" in done.stdout
        assert run_cli("validate", "trace.event").returncode == 0

    def test_the_page_of_a_command_is_written(self):
        done = run_cli("record", "-q", "-ostatus.html", "git", "status")
        assert done.returncode == 0
        assert "Where the time went" in Path("status.html").read_text()
        assert not Path("trace.event").exists()

    @pytest.mark.parametrize("command, code", [
        (["sh", "-c", "git status; exit 7"], 7),
        (["sh", "-c", "git status; kill -9 $$"], 137),
        (["no-such-program"], 127), (["true"], 1), ([], 2)])
    def test_the_exit_code_in_javascript_is_that_of_the_command(self, command, code):
        assert run_cli("record", "--", *command).returncode == code

    @pytest.mark.parametrize("output", ["pipe", "no/a", ".", "a/", "no/a.html"])
    def test_an_output_that_cannot_be_is_told_before_the_command_runs(self, output):
        os.mkfifo("pipe")
        assert run_cli("record", "-o", output, "touch", "ran").returncode == 1
        assert Path("pipe").is_fifo() and not Path("ran").exists()

    def test_a_record_is_replaced_as_the_native_command_does(self):
        Path("old").touch(0o600)
        Path("link").symlink_to("old")
        Path("dangling").symlink_to("new")
        for name in "link", "dangling":
            assert run_cli("record", "-o", name, "git", "status").returncode == 0
            assert Path(name).is_symlink()
        assert Path("old").stat().st_mode & 0o777 == 0o600
        assert run_cli("validate", "old", "new").returncode == 0
        assert not [*Path().glob("*.partial")]

    @pytest.mark.parametrize("end", ["rmdir a", "kill $PPID; sleep 9"])
    def test_a_bad_end_loses_no_log_in_silence(self, end):
        Path("a").mkdir()
        done = run_cli("record", "-o", "a/log", "sh", "-c", f"git status; {end}")
        assert done.returncode == (143 if "kill" in end else 1)
        place = "a/log" if "kill" in end else done.stderr.split()[-1]
        assert run_cli("validate", place).returncode == 0


def run_script(script, folder):
    (folder / "script.mjs").write_text(script)
    return subprocess.run(["node", "script.mjs"], cwd=folder, timeout=60,
                          capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An empty folder, where the package was installed from its file."""
    folder = tmp_path_factory.mktemp("installed")
    tarball, = BUILD.glob("trace2-*.tgz")
    (folder / "package.json").write_text("{}")
    subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund",
                    str(tarball)], cwd=folder, check=True, timeout=120,
                   capture_output=True)
    return folder


def test_the_installed_package_has_the_command(installed):
    done = subprocess.run(["npx", "--offline", "trace2", "summary", str(LOG)],
                          cwd=installed, capture_output=True, text=True,
                          timeout=60, check=True,
                          env=dict(os.environ, LC_ALL="C"))
    assert done.stdout == run_cli("summary", LOG).stdout


def test_a_program_can_call_the_commands(installed):
    out = run_script(f"""
import {{ validate, summarize, redact, convert, report, table, Trace2Error }}
    from 'trace2';
import fs from 'node:fs';
const log = fs.readFileSync('{LOG}');
const stream = () => fs.createReadStream('{LOG}');
const same = async (call) => JSON.stringify(await call(log)) ===
    JSON.stringify(await call(stream()));
const findings = async (input) => (await validate(input)).findings;
console.log(await same(findings), await same(summarize), await same(report));
console.log((await validate(log)).findings.length);
console.log((await summarize({{ 'a': log, 'b': log.toString() }})).processes);
console.log(JSON.parse(new TextDecoder().decode(
    await convert(log, {{ to: 'chrome' }}))).length > 0);
console.log((await redact(log, {{ hide: ['hosts'] }})).complete);
console.log((await table(log)).split('\\n').length);
console.log(await summarize('no log').catch((error) =>
    error instanceof Trace2Error && error.code));
""", installed)
    assert out.split() == ["true", "true", "true", "2", "1", "true", "true",
                           "3", "3"]


# One of each kind: compressed, PERF, archives, diff, several logs, messages.
TEN = """agents-that-run-40-git-add-at-once archive-with-every-event
    brief-perf-log-with-a-child callers-and-groups clock-set-back
    child-found-by-pid child-without-an-exit blame-of-a-long-history
    archive-with-scopes alias-of-a-git-command""".split()
HOSTILE = "<img src=x onerror=document.title='ran'></script><script>1</script>"


@pytest.fixture(scope="module", name="page")
def open_page():
    if not browser.is_there() or not (BUILD / "trace2.html").exists():
        pytest.skip("make chromium desk brings the browser and the page")
    engine = elsewhere.PageEngine()
    yield engine
    engine.close()


def take(page, name, text, after="0"):
    """Give the page a log, wait for the results, and return what follows."""
    file = f"{{ name: {json.dumps(name)}, content: new Blob([{json.dumps(text)}]) }}"
    return page.browser.run(
        f"(async () => {{ await take([{file}]); return {after}; }})()")


def test_ten_stories_are_the_same_in_the_page(page):
    found, count = elsewhere.compare(page, TEN)
    assert count == 10
    assert not found


def test_the_page_shows_all_it_promises_and_asks_for_nothing(page):
    shown = take(page, "a.event", LOG.read_text(), """[
        $('answer').textContent, $('findings').textContent,
        $('report').querySelector('iframe').srcdoc.length]""")
    assert "1 command took 10.1 ms" in shown[0]
    assert "event.data.value" in shown[1]
    assert shown[2] > 10000
    for work, panel, name in (("makeTable", "table", "processes.csv"),
                              ("makeRedacted", "redact", "redacted-a.event"),
                              ("makeTrace", "convert", "trace.fxt")):
        assert page.browser.run(f"(async () => {{ await work({work}); return "
                                f"$('{panel}').querySelector('.save a')"
                                ".download; })()") == name
    assert not [url for url in page.browser.requests
                if not url.startswith(("file:", "blob:", "data:", "about:"))]
    assert not page.browser.complaints


def test_a_hostile_log_stays_text(page):
    text = LOG.read_text().replace("work", HOSTILE).replace("status", HOSTILE)
    title, images, answer = take(page, f"{HOSTILE}.event", text, """[
        (await work(makeTable), document.title),
        document.images.length + document.querySelectorAll('td *').length,
        $('answer').textContent]""")
    assert title == "trace2: look at git's logs"
    assert images == 0
    assert "<img src=x" in answer


def test_what_is_no_log_is_told(page):
    assert "this is a text file, no log" in take(page, "a.txt", "hello\n",
                              "$('status').textContent")


def test_a_run_can_be_cancelled_and_the_page_used_again(page):
    log = json.dumps(LOG.read_text())
    assert "Cancelled" in page.browser.run(f"""(async () => {{
        const work = take([{{ name: 'a.event',
            content: new Blob(Array(20000).fill({log})) }}]);
        setTimeout(() => $('cancel').click(), 100);
        await work;
        return $('status').textContent; }})()""")
    assert "1 command" in take(page, "a.event", LOG.read_text(),
                               "$('answer').textContent")


def tab_to(page, wanted, shift=False):
    """Press Tab until this has the focus, as a user does who has no mouse."""
    for _ in range(30):
        if page.browser.run("document.activeElement.id || document"
                            ".activeElement.tagName") == wanted:
            return
        page.browser.press("Tab", shift=shift)
    raise AssertionError(f"Tab does not reach {wanted}")


def make(page, button, tab):
    """Press the button, which keeps the focus; what the panel has then."""
    tab_to(page, button)
    page.browser.press("Enter")
    return page.browser.run(f"""new Promise((done) => setInterval(() =>
        $('working').hidden && $('{tab}').querySelector('.save a') &&
        done([document.activeElement.id, $('{tab}').querySelector(
            '.save a').download]), 20))""")


def next_tab(page, tab, name):
    tab_to(page, tab, shift=True)
    page.browser.press("ArrowRight")
    assert page.browser.run("document.activeElement.id") == f"tab-{name}"
    assert page.browser.run(f"$('{name}').hidden") is False


@pytest.fixture(name="pasted")
def paste_a_log(page):
    """The page, from its start, with a log that was pasted by keys alone."""
    page.browser.open(BUILD / "trace2.html")
    tab_to(page, "paste")
    page.browser.press("Enter")
    page.browser.call("Input.insertText", text=LOG.read_text())
    tab_to(page, "look")
    page.browser.press("Enter")
    page.browser.run("""new Promise((done) => setInterval(() =>
        $('working').hidden && $('findings').textContent.trim() && done(), 20))""")
    assert page.browser.run("document.activeElement.id") == "look"
    tab_to(page, "tab-report")
    return page


def test_all_is_made_by_keys_alone(pasted):
    next_tab(pasted, "tab-report", "findings")
    pasted.browser.press("Tab")
    assert "event.data.value" in pasted.browser.run(
        "document.activeElement.textContent")
    next_tab(pasted, "tab-findings", "table")
    tab_to(pasted, "rows")
    pasted.browser.press("ArrowDown")
    assert make(pasted, "make-table", "table") == ["make-table", "regions.csv"]
    pasted.browser.press("Tab")
    pasted.browser.press("Tab")
    assert pasted.browser.run("""[document.activeElement.className,
        document.activeElement.querySelectorAll('tr').length]""") == ["scroll", 3]
    next_tab(pasted, "tab-table", "redact")
    pasted.browser.press("Tab")
    pasted.browser.press(" ")
    assert pasted.browser.run("document.activeElement.checked")
    assert make(pasted, "make-redact", "redact") == ["make-redact",
                                                     "redacted-pasted"]
    next_tab(pasted, "tab-redact", "convert")
    tab_to(pasted, "to")
    pasted.browser.press("End")
    assert make(pasted, "make-convert", "convert") == ["make-convert",
                                                       "trace.otlp"]


def test_keys_select_a_span_of_the_report(pasted):
    tab_to(pasted, "IFRAME")
    tree = pasted.browser.call("Page.getFrameTree")["frameTree"]
    inner = pasted.browser.call(
        "Page.createIsolatedWorld",
        frameId=tree["childFrames"][0]["frame"]["id"])["executionContextId"]

    def ask(script):
        return pasted.browser.call("Runtime.evaluate", expression=script,
                                   contextId=inner)["result"].get("value")

    for _ in range(30):
        if ask("document.activeElement.id") == "canvas":
            break
        pasted.browser.press("Tab")
    before = ask("document.querySelector('#details').textContent")
    pasted.browser.press("ArrowDown")
    pasted.browser.press("Enter")
    assert ask("document.activeElement.id") == "canvas"
    assert ask("document.querySelector('#details').textContent") != before


def test_a_run_is_cancelled_by_escape(page):
    log = json.dumps(LOG.read_text())
    page.browser.run(f"""$('files').focus(), void take([{{ name: 'a.event',
        content: new Blob(Array(20000).fill({log})) }}])""")
    page.browser.press("Escape")
    assert "Cancelled" in page.browser.run("""new Promise((done) =>
        setInterval(() => $('working').hidden &&
                          done($('status').textContent), 20))""")


def test_tabs_follow_the_arrow_keys(page):
    take(page, "a.event", LOG.read_text(), "$('tab-report').focus()")
    page.browser.call("Input.dispatchKeyEvent", type="keyDown",
                      key="ArrowRight")
    assert page.browser.run("[document.activeElement.id, $('findings').hidden,"
                            "$('report').hidden]") == [
                                "tab-findings", False, True]
