"""The linters of `make check`: each passes what is right and names what is
not."""

import subprocess
import sys

import arrows
import pytest

pytestmark = pytest.mark.long("is about the linters of make check")

LONG_NAME = "n" * 71


def function(lines, branches=0):
    """A C function of that many lines, with that many branches."""
    body = ["\tif (a)\n" + "\t\ta--;\n"] * branches
    body += ["\ta++;\n"] * (lines - 4 - 2 * branches)
    return "int f(int a)\n{\n" + "".join(body) + "\treturn a;\n}\n"


def python_function(lines, branches=0):
    body = ["    a = a or 1\n"] * branches
    body += ["    a += 1\n"] * (lines - 1 - branches)
    return "def f(a):\n" + "".join(body)


@pytest.fixture
def lint(root, scratch):
    """lint(linter, files={path: text}, *arguments): code and findings."""

    def call(linter, files, *arguments):
        for name, text in files.items():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = subprocess.run(
            [sys.executable, root / "t/tools/lint" / linter, *arguments],
            cwd=scratch,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.returncode, done.stdout.splitlines()

    return call


@pytest.mark.parametrize(
    "name, text",
    [
        ("a.c", function(60)),
        ("a.c", function(40, branches=11)),
        ("a.py", python_function(60)),
        ("a.py", python_function(20, branches=11)),
        ("a.sh", "true\n" * 450),
        ("ref/trace2.h", "\n" * 800),
    ],
)
def test_limits_pass_what_is_just_within(lint, name, text):
    assert lint("limits.py", {name: text}, name) == (0, [])


@pytest.mark.parametrize(
    "name, text, finding",
    [
        ("a.c", function(61), "a.c:1: f: 61 lines, at most 60"),
        ("a.c", function(40, 12), "a.c:1: f: complexity 13, at most 12"),
        ("a.py", python_function(61), "a.py:1: f: 61 lines, at most 60"),
        ("a.py", python_function(20, 12), "a.py:1: f: complexity 13, at most 12"),
        ("a.sh", "true\n" * 451, "a.sh:451: 451 lines, at most 450"),
        ("ref/trace2.h", "\n" * 801, "ref/trace2.h:801: 801 lines, at most 800"),
        ("ref/tr2_x.h", "\n" * 451, "ref/tr2_x.h:451: 451 lines, at most 450"),
    ],
)
def test_limits_name_what_is_just_beyond(lint, name, text, finding):
    assert lint("limits.py", {name: text}, name) == (1, [finding])


def test_function_that_is_not_measured_is_found(lint):
    code, found = lint("limits.py", {"a.c": "void (f)(int a)\n{\n}\n"}, "a.c")
    assert code == 1
    assert found and found[0].startswith('"a.c", line 2: ')


def test_names_pass_when_unique_and_short(lint):
    files = {
        "a.sh": "test_expect 'one thing' 'true'\ntest_expect \"two\" '\n\ttrue'\n",
        "a.c": 'tap_ok(a, "three");\ntap_str(f("x"), "one thing",\n "fo" "ur");\n',
        "a.py": "def test_five():\n    pass\ndef helper():\n    pass\n",
    }
    assert lint("names.py", files, *files) == (0, [])


@pytest.mark.parametrize(
    "name, text, finding",
    [
        ("a.sh", f"test_expect '{LONG_NAME}' 'true'\n", ":1: 71 characters"),
        ("a.c", f'\ntap_ok(a,\n"{LONG_NAME}");\n', ":2: 71 characters"),
        ("a.py", f"def test_{LONG_NAME}(): pass\n", ":1: 76 characters"),
        ("a.sh", "test_expect 'a' ''\ntest_expect 'a' ''\n", ":2: same name"),
        ("a.c", 'tap_ok(1, "a");\ntap_ok(2, "a");\n', ":2: same name as a.c:1"),
        ("a.py", "def test_a(): pass\ndef test_a(): pass\n", ":2: same name"),
    ],
)
def test_names_too_long_or_doubled_are_found(lint, name, text, finding):
    code, found = lint("names.py", {name: text}, name)
    assert code == 1
    assert len(found) == 1 and found[0].startswith(name + finding)


def test_name_used_in_two_files_is_found(lint):
    files = {"a.sh": "test_expect 'a' ''\n", "b.c": 'tap_ok(1, "a");\n'}
    assert lint("names.py", files, *files) == (
        1,
        ["b.c:1: same name as a.sh:1: a"],
    )


@pytest.mark.parametrize(
    "name, text",
    [
        ("ref/a.c", "static int find_key(int a)\n{\n\treturn a;\n}\n"),
        ("ref/a.c", "int find(int a);\nstatic int (*find)(int);\n"),
        ("ref/a.c", "/* int find(int a) { } */\n#define find(a) { a }\n"),
        ("helper/a.c", "int main(void)\n{\n}\n"),
        ("t/unit/kit/a.h", "int close(int fd)\n{\n\treturn fd;\n}\n"),
        ("t/tools/fuzz/a.c", "int LLVMFuzzerTestOneInput(int a)\n{\n}\n"),
        ("t/other/a.c", "static void begin(void)\n{\n}\n"),
        ("ref/a.h", "#ifdef __cplusplus\nint find() { }\n#endif\n"),
        ("ref/a.h", "namespace a\n{\nint find() { }\n}\n"),
        ("ref/a.c", "MAKE(a, b)\nstatic void make_all(void)\n{\n}\n"),
        ("ref/a.c", "void (*find_all(int a))(int)\n{\n}\n"),
    ],
)
def test_functions_pass_with_two_words_or_a_given_name(lint, name, text):
    assert lint("functions.py", {name: text}, name) == (0, [])


@pytest.mark.parametrize(
    "name, text, finding",
    [
        ("ref/a.c", "int *\nfind(int a)\n{\n}\n", "2: find"),
        ("helper/a.c", "static void put32(void)\n{\n}\n", "1: put32"),
        ("t/unit/kit/a.h", "static int close(int a)\n{\n}\n", "1: close"),
        ("t/unit/b/a.c", "static void begin(void)\n{\n}\n", "1: begin"),
        ("t/tools/fuzz/a.c", "void begin(void)\n{\n}\n", "1: begin"),
        ("t/tools/perf/a.h", "static int off(void)\n{\n}\n", "1: off"),
        ("ref/a.c", "__attribute__((noinline)) int is(int a)\n{\n}\n", "1: is"),
        ("ref/a.c", "MAKE(a)\nstatic void of(void)\n{\n}\n", "2: of"),
        ("ref/a.c", "void (*of(int a))(int)\n{\n}\n", "1: of"),
        (
            "ref/a.h",
            '#ifdef __cplusplus\nextern "C" {\n#endif\nint is(void) { }\n',
            "4: is",
        ),
    ],
)
def test_functions_named_by_a_bare_word_are_found(lint, name, text, finding):
    assert lint("functions.py", {name: text}, name) == (
        1,
        [f"{name}:{finding}: one bare word names a function"],
    )


def test_structs_pass_with_names_of_their_own(lint):
    files = {
        "ref/a.c": "struct a {\n};\nstruct b *b;\n",
        "ref/b.c": "struct b {\n\tstruct a *a;\n};\nunion a {\n};\n",
        "t/unit/b.h": "struct a {\n};\n",
    }
    assert lint("functions.py", files, *files) == (0, [])


def test_structs_that_share_a_name_are_found(lint):
    files = {
        "ref/a.c": "\nstruct a {\n};\n",
        "helper/b.h": "static const struct a {\n\tint b;\n} all[] = { 1 };\n",
    }
    assert lint("functions.py", files, *files) == (
        1,
        ["helper/b.h:1: struct a has the name of that in ref/a.c:2"],
    )


def test_arrows_pass_what_the_table_allows(lint):
    files = {
        "ref/process/trace2.c": '#include "trace2.h"\n#include "event/event.h"\n',
        "ref/trace2.h": "#include <stdio.h>\n",
        "ref/event/event.h": "",
        "ref/event/event.c": '#include "event/event.h"\n#include "base/buf.h"\n',
        "ref/base/buf.h": "",
        "ref/trace/engine/event.c": '#include "event.h"\n#include "host/host.h"\n',
        "ref/trace/event.h": "",
        "ref/host/host.h": "",
        "helper/validate/a.c": '#include "generated.h"\n',
    }
    assert lint("arrows.py", files) == (0, [])


@pytest.mark.parametrize(
    "includer, header",
    [
        ("ref/event/perf.c", "ref/host/host.h"),
        ("ref/destination/destination.c", "ref/event/event.h"),
        ("ref/event/event.c", "ref/process/process.h"),
        ("ref/trace/engine/event.c", "ref/trace2.h"),
        ("ref/host/host.c", "ref/trace/event.h"),
        ("helper/validate/a.c", "ref/trace2.h"),
        ("helper/tool/verbs/a.c", "ref/process/process.h"),
    ],
)
def test_arrows_against_the_table_are_found(lint, includer, header):
    include = header.replace("ref/", "", 1)
    files = {includer: f'\n#include "{include}"\n', header: ""}
    assert lint("arrows.py", files) == (
        1,
        [f"{includer}:2: may not include {header}"],
    )


def test_file_without_a_place_in_the_arrows_is_found(lint):
    assert lint("arrows.py", {"ref/stray.c": ""}) == (
        1,
        ["ref/stray.c:1: is in no room of t/tools/lint/arrows.py"],
    )


def test_rooms_include_only_rooms_above_them_in_the_table():
    row = "{} | something | {}".format
    rooms = arrows.read_table("\n".join([row("a", "b"), row("b", "a")]))
    assert list(arrows.table_findings(rooms)) == [
        "t/tools/lint/arrows.py:1: a may not include b"
    ]
    assert rooms[1].floor(rooms[:1]) == 2


def test_a_map_that_is_not_that_of_the_table_is_found(lint):
    page = "<!-- map: of old -->\n{}<!-- end of map -->\n"
    assert lint("arrows.py", {"HACKING.md": page.format("")}) == (
        1,
        ["HACKING.md:1: shows another map: make map"],
    )
    rooms = arrows.read_table(arrows.ROOMS)
    shown = arrows.show_map(rooms, page.format("old"))
    assert "ref/base" in shown and "old\n" not in shown
    assert lint("arrows.py", {"HACKING.md": shown}) == (0, [])


TARGETS = "enum tr2_target_id {\n\tTR2_TARGET_PERF,\n\tTR2_TARGET_EVENT,\n" \
    "\tTR2_TARGET_FXT,\n\tTR2_TARGET_COUNT\n};\n"


@pytest.mark.parametrize("room", ["process", "session"])
@pytest.mark.parametrize(
    "code, finding",
    [
        ("/* fxt */\ntr2_event(TR2_TARGET_COUNT);\n", None),
        ('#include "target/target.h"\n', None),
        ("a;\ntr2_fxt_open();\n", "2: knows a target: tr2_fxt_open"),
        ("/*\n */\nopen_Perf();\n", "3: knows a target: open_Perf"),
        ("a[TR2_TARGET_EVENT];\n", "1: knows a target: TR2_TARGET_EVENT"),
        ('#include "target/fxt.h"\n', "1: may not include target/fxt.h"),
        ('#include "target/text.h"\n', "1: may not include target/text.h"),
    ],
)
def test_targets_are_not_known_by_name(lint, code, finding, room):
    files = {"ref/config/settings.h": TARGETS, f"ref/{room}/a.c": code}
    found = [f"ref/{room}/a.c:{finding}"] if finding else []
    assert lint("targets.py", files) == (1 if finding else 0, found)


SWITCH = "switch (a) {\ncase %s:\n\tb();\n%s}\n"


@pytest.mark.parametrize(
    "code, line",
    [
        (SWITCH % ("TR2_A", ""), None),
        (SWITCH % ("'a'", "default:\n\tc();\n"), None),
        (SWITCH % ("TR2_A", '/* default: */ d("default:");\n'), None),
        (SWITCH % ("TR2_A", SWITCH % ("'a'", "default:\n")), None),
        (SWITCH % ("TR2_A", "default:\n\tc();\n"), 1),
        ("\n" + SWITCH % ("FXT_ARG_NULL", "default:\n"), 2),
        (SWITCH % ("'{'", SWITCH % ("TRACE_A", "default:\n")), 4),
    ],
)
def test_default_in_a_switch_over_kinds_is_found(lint, code, line):
    found = [f"ref/a.c:{line}: a switch over kinds has a default"]
    want = (1, found) if line else (0, [])
    assert lint("kinds.py", {"ref/a.c": code}) == want


@pytest.fixture
def library(scratch):
    """library(code, name): `code` compiled to a static or shared library."""

    def call(code, name):
        (scratch / "a.c").write_text(code)
        if name.endswith(".so"):
            command = f"gcc -shared -fPIC -o {name} a.c"
        else:
            command = f"gcc -c a.c && ar rc {name} a.o"
        subprocess.run(["sh", "-c", command], cwd=scratch, check=True)
        return name

    return call


@pytest.mark.parametrize("name", ["liba.so", "liba.a"])
def test_symbols_pass_when_all_are_public(lint, library, name):
    code = "int trace2_a; static int b; int *trace2_f(void) { return &b; }"
    assert lint("symbols.py", {}, library(code, name)) == (0, [])


@pytest.mark.parametrize("name", ["libb.so", "libb.a"])
def test_symbol_with_another_prefix_is_found(lint, library, name):
    code = "int trace2_a; int tr2_b;"
    assert lint("symbols.py", {}, library(code, name)) == (
        1,
        [f"{name}: shows tr2_b"],
    )


@pytest.mark.parametrize("name", ["libc.so", "libc.a"])
def test_library_without_symbols_is_found(lint, library, name):
    assert lint("symbols.py", {}, library("static int a;", name))[0] == 1


@pytest.fixture
def repository(scratch):
    subprocess.run(["git", "init", "-q", scratch], check=True)


@pytest.mark.usefixtures("repository")
def test_layout_passes_a_tidy_tree(lint):
    files = {
        "README.md": "text\n```\nstart \n```\n",
        ".gitignore": "build\n",
        "build/anything": "left alone \n",
        "golden/perf/a.txt": "recorded | \n",
        "ref/empty.c": "",
    }
    assert lint("layout.py", files) == (0, [])


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    "name, text, finding",
    [
        ("notes.txt", "", "notes.txt: has no place at the top"),
        ("src/a.c", "", "src: has no place at the top"),
        ("t/a.sh", "#!/bin/sh\n", "t/a.sh:1: a script that can't be run: chmod +x"),
        ("ref/a.c", "int a;", "ref/a.c: does not end in a newline"),
        ("ref/a.c", "\nint a; \n", "ref/a.c:2: white space at the end"),
        ("README.md", "```\n```\na \n", "README.md:3: white space at the end"),
        ("ref/a.c", "int a;\r\n", "ref/a.c:1: white space at the end"),
    ],
)
def test_layout_names_what_is_out_of_place(lint, name, text, finding):
    assert lint("layout.py", {name: text}) == (1, [finding])


@pytest.mark.usefixtures("repository")
def test_layout_judges_a_picture_by_its_bytes_and_not_its_name(lint, scratch):
    (scratch / "helper").mkdir()
    picture = scratch / "helper/a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n x \n y")
    assert lint("layout.py", {"helper/b.c": ""}) == (0, [])
    picture.write_bytes(b"no picture")
    assert lint("layout.py", {"helper/b.c": ""}) == (
        1,
        ["helper/a.png: does not end in a newline"],
    )


@pytest.mark.usefixtures("repository")
def test_layout_finds_a_path_of_the_machine(lint, scratch):
    files = {"README.md": f"cd {scratch}\n"}
    assert lint("layout.py", files) == (
        1,
        ["README.md:1: a path of this machine"],
    )


@pytest.mark.parametrize(
    "name, text",
    [
        ("ref/host/linux.c", "int a = getauxval(AT_SECURE);\n"),
        ("helper/record/manager/peer.c", "#define _GNU_SOURCE\n"),
        ("ref/a/b.c", "/* as pipe2() does,\n * below /proc/self */\n"),
        ("ref/a/b.c", "int a = my_pipe2(b);\n"),
    ],
)
def test_system_passes_calls_of_linux_in_their_place(lint, name, text):
    assert lint("system.py", {name: text}) == (0, [])


@pytest.mark.parametrize(
    "name, text, found",
    [
        ("ref/a/b.c", "/* a\n */ int a = pipe2(b, 0);\n", "pipe2"),
        ("ref/host/posix.c", "\n#define _GNU_SOURCE\n", "_GNU_SOURCE"),
        ("ref/a/b/c.h", '\nopen("/proc/self/fd/1");\n', '"/proc/'),
        ("helper/read/a.cpp", "\nSO_PEERCRED\n", "SO_PEERCRED"),
    ],
)
def test_system_names_a_call_of_linux_elsewhere(lint, name, text, found):
    assert lint("system.py", {name: text}) == (
        1,
        [f"{name}:2: {found} is of Linux alone; see ref/host/system.h"],
    )


MODULE = {"helper/wasm/rooms": "# rooms\nhelper/read\nhelper/lib/files\n"
          "without helper/read/left.c\n",
          "helper/read/left.c": "int a = socket(1, 2, 3);\n",
          "helper/lib/files/b.c": "int b;\n"}


@pytest.mark.parametrize(
    "name, text",
    [
        ("helper/read/a.c", "/* as fork() */\nstatic int my_socket(int a);\n"),
        ("helper/read/a.c", "#if defined(__x86_64__)\n#endif\n"),
        ("helper/lib/files/a.c", "#ifdef __linux__\nint a = dup(1);\n#endif\n"),
        ("helper/collect/a.c", "int a = socket(1, 2, 3);\n"),
    ],
)
def test_rooms_of_the_module_may_use_files_and_memory(lint, name, text):
    assert lint("wasi.py", {**MODULE, name: text}) == (0, [])


@pytest.mark.parametrize("text, found", [
    ("\nint a = socket(1, 2, 3);\n", "WASI has no socket"),
    ("\n#include <sys/socket.h>\n", "WASI has no #include <sys/socket.h>"),
    ("\n#ifdef __wasi__\n", "a condition about systems belongs in helper/lib"),
])
def test_what_the_module_lacks_is_found_in_its_rooms(lint, text, found):
    assert lint("wasi.py", {**MODULE, "helper/read/a.c": text}) == (
        1, [f"helper/read/a.c:2: {found}"])


@pytest.mark.parametrize("files, found", [
    ({"helper/wasm/rooms": "helper/gone\n"}, "there is no helper/gone"),
    ({"helper/read/a.c": '#include "model/b.h"\n', "helper/model/b.h": "\n"},
     "lacks helper/model, which helper/read/a.c includes"),
])
def test_the_list_of_the_module_has_the_rooms_that_it_needs(lint, files, found):
    assert lint("wasi.py", {**MODULE, **files}) == (
        1, [f"helper/wasm/rooms: {found}"])
