"""What tracing costs, in one table: ours, and beside it other systems.

All rows are measured in one run, one after the other: an instant with one
integer, in a loop without anything else. Prints the table, and writes it to
build/perf/tracing.tsv. A system that is not there is a row that says SKIP.

    ns      what the thread pays for an event (median of 15 blocks)
    all ns  what the whole process pays, with threads that write
    bytes   of the output, for an event
    M/s     million events a second of two threads at full speed
    lost    of these, dropped
    killed  what is left if SIGKILL comes after the last event of two seconds
"""

import argparse
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PERF = ROOT / "t/tools/perf"
COLUMNS = ("system", "ns", "all ns", "bytes", "M/s", "lost", "killed", "note")
PATIENCE = 120
SESSION = f"trace2-tracing-{os.getpid()}"


class Skip(Exception):
    """A system is not there."""


def need(command, package):
    if not shutil.which(command):
        raise Skip(f"no {command}: {package}")


def call(*words, check=True, **options):
    return subprocess.run([str(word) for word in words], check=check,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=PATIENCE, **options)


def count_lines(part, *words):
    """How many lines of what a command prints have this part?"""
    with subprocess.Popen([str(word) for word in words],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as printer:
        return sum(part.encode() in line for line in printer.stdout)


def answer_of(text):
    return {name: float(value) for name, value in
            re.findall(r"^(\w+) ([0-9.e+]+)$", text, re.MULTILINE)}


def size_of(files):
    return sum(path.stat().st_size for path in files)


class System:
    """A system whose program is bench-tracing, or behaves like it."""

    note = ""
    count = 300_000
    much = 1_000_000  # of each of the two threads

    def __init__(self, build):
        self.perf = (build / "perf").resolve()
        self.trace2 = ROOT / "helper/trace2"
        self.place = self.perf / "tracing" / type(self).__name__.lower()

    def check(self):
        """Raises Skip."""

    def number(self, how):
        return self.much if how == "two" else self.count

    def command(self, how):
        return [self.perf / "bench-tracing", self.name, how, self.number(how)]

    def environment(self):
        return {}

    def begin(self):
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir(parents=True)

    def end(self):
        """After each run: the output is complete now."""

    def run(self, how):
        self.begin()
        try:
            done = call(*self.command(how), check=how != "kill",
                        cwd=self.place, env={**clean(), **self.environment()})
        finally:
            self.end()
        return answer_of(done.stdout)

    def files(self):
        return [path for path in self.place.rglob("*") if path.is_file()]

    def count_kept(self):
        raise NotImplementedError

    def measure(self):
        self.check()
        cost = self.run("cost")
        kept = self.count_kept()
        size = size_of(self.files()) / kept if kept else None
        two = self.run("two")
        lost = 1 - self.count_kept() / two["events"]
        killed = self.run("kill")
        return {
            "ns": cost["ns"], "all ns": cost.get("all"), "bytes": size,
            "M/s": two["rate"] / 1e6, "lost": lost,
            "killed": self.count_kept() / killed["events"],
            "note": self.note,
        }


def clean():
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("GIT_TRACE2", "TRACE_"))}


class Off(System):
    name = "off"
    label = "no tracing: a trace point whose category is off"
    count = much = 30_000_000

    def measure(self):
        cost, two = self.run("cost"), self.run("two")
        return {"ns": cost["ns"], "all ns": cost["all"],
                "M/s": two["rate"] / 1e6}


class Text(System):
    name = "text"
    label = "text to a file: a data event of the EVENT target"
    count = much = 90_000

    def environment(self):
        return {"GIT_TRACE2_EVENT": str(self.place / "event.log")}

    def count_kept(self):
        return (self.place / "event.log").read_bytes().count(
            b'"event":"data"')


class Fxt(System):
    name = "fxt"
    label = "FXT: a trace point, into the FXT target's file"

    def environment(self):
        return {"GIT_TRACE2_FXT": str(self.place / "trace.fxt")}

    def count_kept(self):
        return count_lines(' category="bench"', self.trace2, "dump",
                           self.place / "trace.fxt")


class Agent(System):
    name = "agent"
    label = "agent: a trace point, JSON by the agent's thread"

    def count_kept(self):
        return (self.place / "trace.json").read_bytes().count(
            b'"name":"instant"')


class AgentFxt(Fxt):
    name = "agent-fxt"
    label = "agent: the same, a client that writes FXT"

    def environment(self):
        return {}


class Lttng(System):
    name = "lttng"
    label = "LTTng-UST"
    note = "8 buffers of 4 MiB for each CPU; its daemons' time is not in it"
    daemon = None

    def check(self):
        need("lttng", "make deps-tracing (lttng-tools)")
        need("babeltrace2", "make deps-tracing (babeltrace2)")
        if not (self.perf / "bench-tracing-lttng").exists():
            raise Skip("no liblttng-ust-dev: make deps-tracing")

    def command(self, how):
        return [self.perf / "bench-tracing-lttng", "lttng", how, self.number(how)]

    def environment(self):
        return {"LTTNG_UST_REGISTER_TIMEOUT": "5000"}

    def begin_daemon(self):
        if not call("lttng", "--no-sessiond", "list", check=False).returncode:
            return
        Lttng.daemon = subprocess.Popen(
            ["lttng-sessiond", "--no-kernel"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for _ in range(50):
            time.sleep(0.1)
            if not call("lttng", "--no-sessiond", "list",
                        check=False).returncode:
                return
        raise Skip("its session daemon does not start")

    def begin(self):
        super().begin()
        self.begin_daemon()
        for words in (
            ("create", SESSION, "--output", self.place),
            ("enable-channel", "-u", "-s", SESSION, "--discard",
             "--subbuf-size=4M", "--num-subbuf=8", "bench"),
            ("enable-event", "-u", "-s", SESSION, "-c", "bench", "bench:*"),
            ("start", SESSION),
        ):  # fmt: skip
            call("lttng", *words)

    def end(self):
        call("lttng", "destroy", SESSION, check=False)

    def files(self):
        return [path for path in super().files() if "channel" in str(path)
                or "bench_" in path.name]

    def count_kept(self):
        return count_lines("bench:instant", "babeltrace2", self.place)


class Uftrace(System):
    name = "uftrace"
    label = "uftrace: an instrumented function"
    note = "two records for a call; its recorder's time is not in it"

    def check(self):
        need("uftrace", "make deps-tracing (uftrace)")

    def command(self, how):
        return ["uftrace", "record", "--no-libcall", "--no-event", "--data",
                self.place / "data", self.perf / "bench-tracing-uftrace",
                "uftrace", how, self.number(how)]

    def files(self):
        return sorted((self.place / "data").glob("[0-9]*.dat"))

    def count_kept(self):
        return size_of(self.files()) // 32


class Node(System):
    label = "Node"
    note = "wall time"
    count = much = 150_000

    def check(self):
        need("node", "Node 20")
        version = call("node", "--version").stdout.strip()
        if not version.startswith("v20."):
            raise Skip(f"this is {version}, not v20")
        self.label = f"Node {version}, a call of its internal trace()"

    def command(self, how):
        return ["node", "--expose-internals", "--trace-event-categories",
                "bench", "--trace-event-file-pattern", "n.${rotation}.json",
                PERF / "tracing_node.js", how, self.number(how)]

    def count_kept(self):
        return sum(path.read_bytes().count(b'"name":"instant"')
                   for path in self.files())


class Chromium(System):
    label = "Chromium's Blink, from npm: performance.mark()"
    note = "wall time; without tracing a mark costs about half"
    count = much = 30_000

    def check(self):
        self.home = ROOT / "build/chromium"
        if not (self.home / "chromium").exists():
            raise Skip("no build/chromium: make chromium (by npm)")

    def command(self, how):
        flags = """--headless=shell --no-sandbox --no-zygote --single-process
            --use-gl=angle --use-angle=swiftshader --in-process-gpu
            --enable-unsafe-swiftshader --disable-dev-shm-usage
            --enable-logging=stderr --trace-startup=blink.user_timing
            --trace-startup-format=json --trace-startup-duration=0""".split()
        return [self.home / "chromium", *flags,
                f"--trace-startup-file={self.place / 't.json'}",
                f"--user-data-dir={self.place / 'profile'}",
                f"file://{PERF}/tracing_page.html?{how},{self.number(how)}"]

    def run(self, how):
        """Until the page has answered; then the browser ends the trace."""
        self.begin()
        env = {**clean(), "LD_LIBRARY_PATH": str(self.home / "lib/lib")}
        log = self.place / "log"
        with log.open("w") as said, subprocess.Popen(
                [str(word) for word in self.command(how)], env=env,
                cwd=self.home, stdout=said, stderr=said) as browser:
            answer = None
            end = time.monotonic() + PATIENCE
            while not answer and time.monotonic() < end:
                time.sleep(0.05)
                answer = re.search(r"bench:(.*) end", log.read_text())
            browser.send_signal(
                signal.SIGKILL if how == "kill" else signal.SIGTERM)
        if not answer:
            raise Skip("the page does not answer; see " + str(log))
        words = answer[1].split()
        return dict(zip(words[::2], map(float, words[1::2])))

    def files(self):
        return [path for path in (self.place / "t.json",) if path.exists()]

    def count_kept(self):
        return sum(path.read_bytes().count(b'"name":"instant"')
                   for path in self.files())


SYSTEMS = (Off, Text, Fxt, Agent, AgentFxt, Lttng, Uftrace, Node, Chromium)


def shown(name, value):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if name in ("lost", "killed"):
        return f"{100 * value:.1f} %"
    return f"{value:.2f}" if name == "M/s" else f"{value:.1f}"


def row_of(system):
    try:
        row = system.measure()
    except Skip as reason:
        row = {"note": f"SKIP: {reason}"}
    except (OSError, subprocess.SubprocessError) as error:
        row = {"note": f"SKIP: it does not run: {error}"}
    return [shown(name, {**row, "system": system.label}.get(name))
            for name in COLUMNS]


def describe_machine():
    model = re.search(r"^model name\s*: (.*)$",
                      pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return (f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} CPUs "
            f"({model[1] if model else platform.machine()}), "
            f"{platform.system()} {platform.release()}, load "
            f"{os.getloadavg()[0]:.1f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("systems", nargs="*", help="only these")
    options = parser.parse_args()
    wanted = [one for one in SYSTEMS
              if not options.systems or one.__name__.lower() in options.systems]
    print(describe_machine(), flush=True)
    form = "{:<50} {:>8} {:>8} {:>7} {:>7} {:>8} {:>8}  {}"
    print(form.format(*COLUMNS))
    rows = []
    try:
        for one in wanted:
            rows.append(row_of(one(options.build)))
            print(form.format(*rows[-1]).rstrip(), flush=True)
    finally:
        if Lttng.daemon:
            Lttng.daemon.terminate()
            Lttng.daemon.wait()
    (options.build / "perf/tracing.tsv").write_text(
        "".join("\t".join(row) + "\n" for row in (COLUMNS, *rows)))


if __name__ == "__main__":
    main()
