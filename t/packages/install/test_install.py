"""What `make install` puts where, and a program that builds against it."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import spec

pytestmark = [pytest.mark.plain("it builds for itself"),
              pytest.mark.xdist_group("install")]

FILES = """
bin/trace2
bin/trace2-fleet
include/trace2/lib/async-loop/cpp/loop.h
include/trace2/lib/async-loop/default.h
include/trace2/lib/async-loop/loop.h
include/trace2/lib/async/dispatcher.h
include/trace2/trace-controller/controller.h
include/trace2/trace-provider/provider.h
include/trace2/trace-reader/reader.h
include/trace2/trace/agent.h
include/trace2/trace/buffer.h
include/trace2/trace/controller/controller.h
include/trace2/trace/engine.h
include/trace2/trace/event.h
include/trace2/trace/event_args.h
include/trace2/trace/event_cpp.h
include/trace2/trace/event_internal.h
include/trace2/trace/fxt_numbers.h
include/trace2/trace/loop.h
include/trace2/trace/provider/provider.h
include/trace2/trace/reader.h
include/trace2/trace/tracing.h
include/trace2/trace2-git.h
include/trace2/trace2-json.h
include/trace2/trace2-target.h
include/trace2/trace2.h
include/trace2/zircon/types.h
lib/libtrace2-functions.a
lib/libtrace2-functions.so
lib/libtrace2-functions.so.0
lib/libtrace2-functions.so.0.2.0
lib/libtrace2.a
lib/libtrace2.so
lib/libtrace2.so.0
lib/libtrace2.so.0.2.0
lib/pkgconfig/libtrace2.pc
share/bash-completion/completions/trace2
share/doc/trace2/SPEC.md
share/doc/trace2/TRACING.md
share/doc/trace2/docs/index.md
share/doc/trace2/docs/practice.md
share/fish/vendor_completions.d/trace2.fish
share/man/man1/trace2-collect.1
share/man/man1/trace2-convert.1
share/man/man1/trace2-diff.1
share/man/man1/trace2-doctor.1
share/man/man1/trace2-dump.1
share/man/man1/trace2-expect.1
share/man/man1/trace2-fleet.1
share/man/man1/trace2-list-categories.1
share/man/man1/trace2-list-providers.1
share/man/man1/trace2-manager.1
share/man/man1/trace2-record.1
share/man/man1/trace2-redact.1
share/man/man1/trace2-report.1
share/man/man1/trace2-shard.1
share/man/man1/trace2-summary.1
share/man/man1/trace2-table.1
share/man/man1/trace2-trace.1
share/man/man1/trace2-validate.1
share/man/man1/trace2.1
share/man/man3/libtrace2.3
share/trace2/expect/trace2-test-lib.sh
share/trace2/expect/trace2_pytest.py
share/trace2/skill/SKILL.md
share/trace2/fleet/tasks.py
share/trace2/fleet/trace2-fleet
share/trace2/machine/collect.conf
share/trace2/machine/install
share/trace2/machine/trace2-collect.service
share/trace2/machine/trace2-collect.socket
share/zsh/site-functions/_trace2
""".split()
ROOT = Path(__file__).resolve().parents[3]
SCHEMAS = [path.relative_to(ROOT / "schema")
           for path in (ROOT / "schema").rglob("*.schema.json")]
QUERIES = (ROOT / "helper/views/table/queries").glob("*.sql")
ROOTS = [f"evt{n}{kind}" for n in (1, 2, 3, 4) for kind in ("", ".closed")]
HAS_HTML = bool(shutil.which("cmark-gfm"))
PAGES = ("SPEC", "TRACING", "docs/practice", "docs/index")
FILES = sorted([
    *FILES,
    *(f"share/trace2/queries/{path.name}" for path in QUERIES),
    *(f"share/trace2/schema/{name}" for name in SCHEMAS),
    *(f"share/trace2/schema/{name}.bundle.json" for name in ROOTS),
    *(f"share/doc/trace2/{name}.html" for name in PAGES if HAS_HTML),
])


def make(root, *arguments):
    """make as a user calls it: not as a part of the make that runs us."""
    names = {k: v for k, v in os.environ.items() if not k.startswith("MA")}
    subprocess.run(
        ["make", "-s", "-C", root, *arguments],
        env=names,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def installed(top):
    return sorted(
        str(path.relative_to(top))
        for path in top.rglob("*")
        if not path.is_dir()
    )


@pytest.fixture(scope="module")
def place(root, tmp_path_factory):
    """The PREFIX of an installation."""
    top = tmp_path_factory.mktemp("prefix")
    make(root, "install", f"PREFIX={top}")
    return top


@pytest.fixture
def build_example(place, root, scratch, execute):
    """build_example(*options): the example, compiled as its comment says."""

    def call(*options):
        shutil.copy(root / "ref" / "example.c", scratch)
        words = shlex.join(options)
        command = f"""
            cc -Wall -Werror -o example example.c \\
                $(pkg-config {words} --cflags --libs libtrace2)
        """
        path = {"PKG_CONFIG_PATH": f"{place}/lib/pkgconfig"}
        execute(["sh", "-ec", command], env=path, check=True, stderr=None)
        return scratch / "example"

    return call


def test_install_puts_each_file_in_its_place(place):
    assert installed(place) == FILES


def test_install_and_uninstall_keep_to_a_destination_directory(root, scratch):
    arguments = (f"DESTDIR={scratch}/dest dir", "PREFIX=/opt/t2")
    make(root, "install", *arguments)
    assert installed(scratch / "dest dir/opt/t2") == FILES
    config = scratch / "dest dir/opt/t2/lib/pkgconfig/libtrace2.pc"
    assert "prefix=/opt/t2\n" in config.read_text()
    make(root, "uninstall", *arguments)
    assert installed(scratch) == []
    assert not (scratch / "dest dir/opt/t2/include/trace2").exists()


def test_example_is_forty_lines(root):
    assert len((root / "ref/example.c").read_text().splitlines()) <= 42


@pytest.mark.parametrize("kind", ["shared", "static"])
def test_example_builds_against_the_installed_library(
    kind, place, build_example, execute, validate, scratch
):
    lib = place / "lib"
    if kind == "shared":
        example = build_example()
    else:
        (lib / "libtrace2.so").rename(lib / "moved")
        try:
            example = build_example("--static")
        finally:
            (lib / "moved").rename(lib / "libtrace2.so")
    (scratch / "two").write_text("1\n2\n")
    done = execute(
        [example, "two", "none"],
        env={
            "LD_LIBRARY_PATH": str(lib) if kind == "shared" else None,
            "GIT_TRACE2_EVENT": str(scratch / "log"),
        },
    )
    assert done.returncode == 1
    assert done.stdout == b"      2 two\n"
    assert done.stderr == b""
    assert b'"key":"lines","value":"2"' in (scratch / "log").read_bytes()
    assert validate(scratch / "log").returncode == 0


def help_of(place, *command):
    return subprocess.run([place / "bin/trace2", *command, "--help"],
                          check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def commands_of(place):
    found = re.findall(r"^  ([a-z-]+)  ", help_of(place), re.M)
    assert len(found) > 1
    return found


def options_of(text):
    return set(re.findall(r"--([a-z][\w-]*)", text)) - {"help"}


def test_each_command_and_its_manual_page_agree_on_options(place):
    for command in commands_of(place):
        page = place / f"share/man/man1/trace2-{command}.1"
        manual = set(re.findall(r"\bFl -([a-z][\w-]*)", page.read_text()))
        assert options_of(help_of(place, command)) == manual, command


def test_the_first_manual_page_names_each_command(place):
    page = (place / "share/man/man1/trace2.1").read_text()
    named = re.findall(r"^\.It Cm ([a-z-]+)$", page, re.M)
    assert named == commands_of(place)
    assert re.findall(r"^\.Xr trace2-([a-z-]+) 1 \.$", page, re.M) == named


def test_findings_cite_the_installed_specification(place, scratch):
    (scratch / "log").write_text('{"event":"exit"}\n')
    shown = subprocess.run(
        [place / "bin/trace2", "validate", "--format", "full", "log"],
        cwd=scratch, stdout=subprocess.PIPE, text=True).stdout
    path, anchor = re.search(r"    = (.*)#(.*?): ", shown).groups()
    assert path == str(place / "share/doc/trace2/SPEC.md")
    text = spec.Spec(Path(path).read_text())
    assert anchor in {heading.anchor for heading in text.headings}
    shown = subprocess.run(
        [place / "bin/trace2", "validate", "--explain", "event.exit.code"],
        stdout=subprocess.PIPE, text=True).stdout
    assert f"; {path}#exit, MUST)" in shown


def test_rules_of_another_part_cite_its_installed_file(place):
    shown = subprocess.run(
        [place / "bin/trace2", "validate", "--explain", "consumer.gitaly.time"],
        stdout=subprocess.PIPE, text=True).stdout
    path = place / "share/doc/trace2/docs/practice.md"
    assert f"; {path}#gitaly, informative)" in shown
    assert "\n### gitaly\n" in path.read_text()


@pytest.mark.skipif(not HAS_HTML, reason="no cmark-gfm (cmark-gfm)")
def test_links_within_the_installed_page_lead_to_its_headings(place):
    folder = place / "share/doc/trace2"
    pages = {folder / f"{name}.html": None for name in PAGES}
    for path in pages:
        text = path.read_text()
        pages[path] = set(re.findall(r'<(?:h\d|a) id="([^"]*)"', text))
        assert not re.search(
            r'href="[^":]*(SPEC|TRACING|practice|index)\.md', text)
    for heading in spec.read(folder).headings:
        path = (folder / heading.document).with_suffix(".html")
        assert heading.anchor in pages[path]
    for path in pages:
        links = re.findall(r'href="([^"#:]*)#([^"]*)"', path.read_text())
        assert links
        for file, anchor in links:
            target = Path(os.path.normpath(path.parent / file)) if file else path
            if target.suffix == ".html":
                assert anchor in pages[target], (path, file, anchor)


def test_an_installed_bundle_is_a_schema_of_its_own(place):
    for name in ROOTS:
        path = place / f"share/trace2/schema/{name}.bundle.json"
        text = path.read_text()
        assert '"$ref": "common' not in text and json.loads(text)["$id"]


def test_a_machine_that_is_set_up_keeps_the_target_of_its_git(scratch):
    script = ROOT / "helper/collect/machine/install"
    settings = scratch / "etc/gitconfig"
    (scratch / "bin").mkdir()
    for name, text in (("chroot", 'shift; exec "$@"'), ("getent", ":"),
                       ("systemctl", ":"), ("trace2", ":")):
        (scratch / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (scratch / "bin" / name).chmod(0o755)

    def run():
        return subprocess.run(
            [script], stderr=subprocess.PIPE, text=True, check=True,
            env={"ROOT": str(scratch), "GIT_CONFIG_SYSTEM": str(settings),
                 "PATH": f"{scratch}/bin:{os.environ['PATH']}"}).stderr

    assert run() == run() == ""
    before = settings.read_text()
    assert "eventTarget = af_unix:stream:/run/trace2/events" in before
    settings.write_text(before.replace("/run/trace2/events", "/run/other"))
    assert "is af_unix:stream:/run/other and stays so" in run()
    assert "/run/other" in settings.read_text()
