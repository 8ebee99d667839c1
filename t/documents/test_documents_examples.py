"""The examples of git's Trace2 documents compile and write what they show."""

import re
import shutil
import subprocess

import pytest

from conftest import LIBRARY, LINKED, ROOT

pytestmark = pytest.mark.plain("it links an ordinary build")
PAGE = (ROOT / "t/documents/examples.md").read_text()
SECTION = re.compile(r"^## (.*)\n((?:(?!^## ).*\n)*)", re.M)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
EXAMPLES = {name: dict(BLOCK.findall(text)) for name, text in SECTION.findall(PAGE)}
# This one is the test-tool's own, which names its parents as git does today.
OF_TEST_TOOL = "Stopwatch Timer Events"
CODE = [name for name, blocks in EXAMPLES.items() if "c" in blocks]
CONSOLES = [name for name, blocks in EXAMPLES.items() if "console" in blocks]

# What stands for each `...` of the code, in order.
GAP = re.compile(r"(?<=^)[ \t]*\.\.\.(?= |$)|(?<=\()\.\.\.(?=\))", re.M)
FILL = {
    "Child Processes": [
        "void",
        'const char *argv[] = { "vi", NULL }; cmd.argv = argv; last_child = &cmd;',
    ],
    "Regions": ["case 0: default: break;"],
    "Regions, nested": ["recurse(dir, base, baselen);"],
    "Data Messages": ["(void)gitdir;"],
    "Thread Events": [
        "",
        "",
        "parts[i].nr += 0; "
        "pthread_create(&parts[i].thread, NULL, start_part, &parts[i]);",
        "pthread_join(parts[i].thread, NULL);",
    ],
    "Stopwatch Timer Events": ["", "", ""],
}
# The code as it stands leaves variables unused, and one function without a
# return.
WARNINGS = ["-Wall", "-Werror", "-Wno-unused", "-Wno-return-type"]
# initialize is in line 38 of common-main.c, as the logs have it.
PLACE = {"Initialization": '#line 34 "common-main.c"\n'}

# Where today's format differs from what the documents show, line by line:
# what they have, and what is written.
DIFFERENCES = [
    # git writes atexit with a place of its own code; we, the program's last.
    (r"trace2/tr2_tgt_\w+\.c:\d+", "git.c:662"),
    (r'"file":"trace2/tr2_tgt_event\.c","line":163', '"file":"git.c","line":662'),
    # The command fetches from origin, its log says official.
    (r"start git fetch official", "start git fetch origin"),
    # The commands say git.
    (r"/usr/local/bin/git version", "git version"),
    # git writes a tab.
    (r"^(system|global|local) +color", r"\1\tcolor"),
    # What the reader is to imagine.
    (r"(\| version .*\|) \.\.\.$", r"\1 2.20.1"),
    # Three seconds are too long for a test.
    (r"100timer 3 1000", "100timer 3 10"),
]
NUMBERS = [
    (r"\d\d:\d\d:\d\d\.\d{6}", "TIME"),
    (r'"(sid|time)":"[^"]*"', r'"\1":"…"'),
    (r"\d+\.\d{6}\b", "SECONDS"),
    (r"pid:\d+", "pid:PID"),
    (r"th0\d:", "thNN:"),
]
# The documents have the columns of PERF as wide as git before 2.24 wrote them
# (erratum.perf-width): of each column its width there, and today's.
PERF_WIDTHS = [(2, 2), (24, 24), (12, 12), (3, 3), (9, 9), (9, 9), (None, 12)]
PERF_PLACE = (49, 44)
TIME_AND_PLACE = r"^(\d\d:\d\d:\d\d\.\d{6} \S+:\d+) +"
PLACES = [(re.compile(TIME_AND_PLACE + r"(?=\| )"), PERF_PLACE[1] + 1),
          (re.compile(TIME_AND_PLACE + r"(?=[^ |])"), 50)]


def fill(name):
    rest = iter(FILL.get(name, []))
    code = GAP.sub(lambda _: next(rest), EXAMPLES[name]["c"])
    assert list(rest) == [], f"{name} has fewer gaps than FILL"
    return PLACE.get(name, "") + code


def normal(line):
    for pattern, text in NUMBERS:
        line = re.sub(pattern, text, line)
    return line.strip()


def perf_of_today(line):
    """A line of PERF, with its columns as wide as they are now."""
    cells = re.split(r" ?\| ?", line.rstrip(), maxsplit=8 if line[2] == ":" else 7)
    place = [cells.pop(0)] if line[2] == ":" else []
    *cells, payload = cells + [""] * (8 - len(cells))
    for cell, (then, _) in zip(cells, PERF_WIDTHS, strict=True):
        assert then is None or len(cell) == then, (line, cell)
    wide = [f"{cell:<{now}}" for cell, (_, now) in zip(cells, PERF_WIDTHS, strict=True)]
    for cell in place:
        assert len(cell) == PERF_PLACE[0], (line, cell)
        wide.insert(0, f"{cell.rstrip():<{PERF_PLACE[1]}}")
    return " | ".join([*wide, payload])


def expected(line):
    if " | main " in line or " | th0" in line:
        line = perf_of_today(line)
    for pattern, text in DIFFERENCES:
        line = re.sub(pattern, text, line)
    # Another place of the source changes the blanks after it.
    for pattern, width in PLACES:
        line = pattern.sub(lambda m: f"{m[1]:<{width}}", line)  # noqa: B023
    return normal(line)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """git, made of all examples."""
    place = tmp_path_factory.mktemp("documents")
    inc = "".join(fill(name) for name in CODE)
    (place / "examples.inc").write_text(inc)
    subprocess.run(
        ["gcc", "-std=c11", *WARNINGS, f"-I{ROOT}/ref", f"-I{place}", "-o",
         place / "git", ROOT / "t/documents/program.c", LIBRARY / "ref.a",
         *LINKED, "-lmd", "-pthread"],
        check=True,
    )  # fmt: skip
    return place / "git"


@pytest.fixture
def shell(program, scratch, env, test_tool):
    """Run an example's commands in a new home. Returns what each prints."""
    real = shutil.which("git")
    (scratch / "bin").mkdir()
    (scratch / "bin/git").symlink_to(program)
    (scratch / "repo/t/helper").mkdir(parents=True)
    (scratch / "repo/t/helper/test-tool").symlink_to(test_tool)
    subprocess.run([real, "init", "-q", scratch / "repo"], check=True, env=env)

    def call(name, commands, version="2.20.1"):
        names = {
            **env,
            "EXAMPLE": name,
            "VERSION": version,
            "REAL_GIT": real,
            "GIT_CONFIG_SYSTEM": str(scratch / "system"),
            "PATH": f"{scratch}/bin:{env['PATH']}",
        }
        done = subprocess.run(
            ["sh", "-c", "".join(f"{c}\necho '~~~'\n" for c in commands)],
            cwd=scratch / "repo", env=names, check=True,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        return done.stdout.split("~~~\n")[:-1]

    return call


def commands_of(console):
    """(command, the lines that it prints) of each `$` line."""
    found = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line:
            found[-1][1].append(line)
    return found


def split_log(lines):
    """Runs of lines between those that stand for any lines."""
    runs = [[]]
    for line in lines:
        if line.startswith("..."):
            runs.append([])
        else:
            runs[-1].append(expected(line))
    return runs


def is_in_order(runs, lines):
    """Are the runs there, in this order, with anything between two of them?"""
    first, *others = runs
    if lines[: len(first)] != first:
        return False
    at = len(first)
    for run in others:
        places = [n for n in range(at, len(lines) + 1) if lines[n : n + len(run)] == run]
        if not places:
            return False
        at = places[0] + len(run)
    return at == len(lines) or runs[-1] == []


def version_of(console):
    found = re.search(r"(2\.20\.1\.\S*?)[\s\"]", console)
    return found[1] if found else "2.20.1"


def is_of_thread(line):
    return "| thNN:" in line


def outcome(name, shell):
    """Of each command that prints something: what is shown, and what came."""
    console = EXAMPLES[name]["console"]
    commands = commands_of(console)
    brief = [c.replace("100timer 3 1000", "100timer 3 10") for c, _ in commands]
    printed = shell(name, brief, version_of(console))
    for (command, shown), text in zip(commands, printed, strict=True):
        lines = [normal(line) for line in text.splitlines()]
        if name == OF_TEST_TOOL:
            lines = [re.sub(r"(\| version .* )\S+$", r"\g<1>2.20.1", line)
                     for line in lines if "| cmd_ancestry |" not in line]
        yield command, split_log(shown), lines


def test_documents_examples_are_all_there():
    assert len(EXAMPLES) == 16
    assert (len(CODE), len(CONSOLES)) == (8, 14)


@pytest.mark.parametrize("name", CONSOLES)
def test_documents_example_prints_what_it_shows(name, shell):
    for command, runs, lines in outcome(name, shell):
        racing = [line for run in runs for line in run if is_of_thread(line)]
        if racing:  # threads race: their lines come in any order
            assert sorted(racing) == sorted(filter(is_of_thread, lines))
            runs = [[line for line in run if line not in racing] for run in runs]
            lines = [line for line in lines if line not in racing]
        assert is_in_order(runs, lines), (command, runs, lines)


def test_documents_details_of_a_command_are_written(shell):
    commands = ["GIT_TRACE2=1 GIT_TRACE2_BRIEF=1 git checkout 2>&1"]
    (text,) = shell("Command Details", commands)
    assert [normal(line) for line in text.splitlines()] == [
        "version 2.20.1",
        "start git checkout",
        "cmd_name checkout (checkout)",
        "cmd_mode branch",
        "worktree /Users/jeffhost/work/gfw",
        "error Path 'a b': cannot do something",
        "child_start[0] vi",
        "child_exit[0] pid:PID code:0 elapsed:SECONDS",
        "exit elapsed:SECONDS code:0",
        "atexit elapsed:SECONDS code:0",
    ]


def test_documents_timer_of_the_code_runs_three_times(shell):
    commands = ["GIT_TRACE2=1 GIT_TRACE2_BRIEF=1 git trace2 100timer 3 10 2>&1"]
    (text,) = shell(OF_TEST_TOOL, commands)
    total = re.search(r"\ntimer test/test1 intervals:3 total:(\S+)", text)
    assert float(total[1]) >= 0.03


def test_documents_child_has_its_class(shell):
    (text,) = shell("Child Processes", ["GIT_TRACE2_EVENT=1 git checkout 2>&1"])
    assert '"child_class":"editor"' in text


def test_documents_two_systems_trace_in_parallel(shell, scratch):
    commands = [
        f"export GIT_TRACE2='{scratch}/trace2' GIT_TRACE2_BRIEF=1",
        "GIT_TRACE_SETUP=1 git version 2>&1 >/dev/null",
        "GIT_TRACE2=0 GIT_TRACE_SETUP=1 git version 2>&1 >/dev/null",
        f"GIT_TRACE_SETUP='{scratch}/trace1' git version 2>&1 >/dev/null",
    ]
    _, both, alone, file = shell("", commands)
    line = re.compile(r"\d\d:\d\d:\d\d\.\d{6} git\.c:\d+ +setup: no worktree\n")
    assert line.fullmatch(both) and line.fullmatch(alone) and not file
    assert line.fullmatch((scratch / "trace1").read_text())
    messages = (scratch / "trace2").read_text().splitlines()
    assert messages.count("setup: no worktree") == 2


@pytest.mark.parametrize("value, is_written", [("1", True), ("0", False)])
def test_documents_message_of_a_key_has_its_category(
    value, is_written, shell, scratch
):
    commands = [
        f"export GIT_TRACE_SETUP={value} GIT_TRACE2_CHROME='{scratch}/x.json'",
        "GIT_TRACE2=1 GIT_TRACE2_BRIEF=1 git version 2>&1 >/dev/null",
    ]
    _, text = shell("", commands)
    lines = text.splitlines()
    assert ("setup: no worktree" in lines) == is_written
    assert ('"cat":"SETUP"' in (scratch / "x.json").read_text()) == is_written
