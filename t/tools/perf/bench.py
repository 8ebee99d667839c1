"""Ask the benchmark programs, compare what they say, print one table.

Every figure is a median of RUNS; what is compared ran in turn in one run,
so that a machine whose speed drifts drifts for both. Writes
build/bench.json beside the table. Where there is nothing to compare with,
the best run is told too. Never fails on a slow machine.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import shapes

median = statistics.median
RUNS = 7
ROOT = pathlib.Path(__file__).resolve().parents[3]
LOGS = ROOT / "t/corpus/pass/real"
VARIABLES = {
    "normal": "GIT_TRACE2",
    "perf": "GIT_TRACE2_PERF",
    "event": "GIT_TRACE2_EVENT",
}


def environment(**extra):
    """The caller's, without anything that switches tracing on."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_TRACE2", "GIT_CONFIG"))
    }
    env.update(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null")
    env.update(extra)
    return env


def ask(command, env):
    """A program's answer: `name value` lines as a dict of floats."""
    text = subprocess.run(
        [str(word) for word in command],
        env=env,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    return {name: float(value) for name, value in
            (line.split() for line in text.splitlines())}


class Bench:
    def __init__(self, build, trace2):
        self.perf = build / "perf"
        self.trace2 = trace2
        self.plain = build / "perf/trace2"
        self.scratch = build / "perf/scratch"
        self.rows = []
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)

    def row(self, name, value, unit, target, met, note=""):
        self.rows.append(dict(name=name, value=value, unit=unit,
                              target=target, met=met, note=note))
        mark = {True: "met", False: "NOT MET", None: ""}[met]
        print(f"{name:<42} {value:>9.3f} {unit:<6} {target:<10} {mark:<8}"
              f" {note}", flush=True)

    def off(self):
        for kind in ("static", "shared"):
            values = [
                ask([self.perf / f"bench-{kind}", "off", 50_000_000],
                    environment())["off"]
                for _ in range(RUNS)
            ]
            value = median(values)
            self.row(f"a call, tracing off ({kind})", value, "ns", "<= 1",
                     value <= 1.0)

    def event(self, target):
        log = self.scratch / f"{target}.log"
        raw = self.scratch / f"{target}.raw"
        env = environment(**{VARIABLES[target]: str(log.resolve())})
        ratios, events, writes = [], [], []
        for _ in range(RUNS):
            log.unlink(missing_ok=True)
            answer = ask([self.perf / "bench-static", "event", target, log,
                          raw, 100_000], env)
            ratios.append(answer["event"] / answer["write"])
            events.append(answer["event"])
            writes.append(answer["write"])
        value = median(ratios)
        self.row(f"{target.upper()} event / write(2) of its bytes", value,
                 "x", "<= 1.3", value <= 1.3,
                 f"{median(events):.0f} ns beside {median(writes):.0f} ns")
        log.unlink()
        count = ask([self.perf / "bench-count", target, 10_000], env)
        self.row(f"{target.upper()} writes an event", count["writes"], "",
                 "1", count["writes"] == 1)
        self.row(f"{target.upper()} allocations an event",
                 count["allocations"], "", "0", count["allocations"] == 0)
        log.unlink()
        raw.unlink()

    def regions(self):
        """Enter and leave, through the FXT target."""
        log = self.scratch / "regions.fxt"
        env = environment(GIT_TRACE2_FXT=str(log.resolve()))
        values, dropped = [], 0
        for _ in range(RUNS):
            log.unlink(missing_ok=True)
            answer = ask([self.perf / "bench-static", "regions", 500_000],
                         env)
            values.append(answer["pair"])
            dropped += answer["dropped"]
        value = median(values)
        self.row("FXT region_enter and region_leave", value, "ns", "<= 120",
                 value <= 120 and not dropped, f"dropped {dropped:.0f}")
        log.unlink()

    def process(self):
        hello = self.perf / "hello"
        log = self.scratch / "hello.log"
        traced = environment(GIT_TRACE2_EVENT=str(log.resolve()))
        extra, plain = [], []
        for _ in range(RUNS):
            off = ask([hello, 300, hello], environment())["process"]
            on = ask([hello, 300, hello], traced)["process"]
            extra.append((on - off) / 1000)
            plain.append(off / 1000)
        value = median(extra)
        self.row("a traced process, more than untraced", value, "ms", "<= 0.3",
                 value <= 0.3, f"untraced {median(plain):.2f} ms")

    def trace(self):
        """Trace points: costs are absolute, so a clock's stands beside."""
        program = self.perf / "bench-trace"
        for name, extra, limit in (("", {}, 30),
                                   (", vDSO clock",
                                    {"BENCH_TRACE_VDSO": "1"}, 40)):
            env = environment(**extra)
            answers = [ask([program, 2_000_000], env) for _ in range(RUNS)]
            took = {key: median(a[key] for a in answers)
                    for key in answers[0]}
            value = took["instant"]
            self.row(f"a trace instant with an int{name}", value, "ns",
                     f"<= {limit}", value <= limit,
                     f"{min(a['instant'] for a in answers):.1f} at best; "
                     f"its clock {took['clock']:.1f} ns, a duration "
                     f"{took['duration']:.1f} ns")
            self.row(f"two threads / one{name}", took["two"], "x", "<= 1.3",
                     took["two"] <= 1.3)
        self.row("a trace point, category off", took["off"], "ns", "<= 1",
                 took["off"] <= 1.0)
        paced = ask([program, "paced", 2], environment())
        self.row("drops of a stream, 1M events/s", paced["dropped"], "",
                 "0", paced["dropped"] == 0)
        speed = ask([program, "speed", 5], environment())
        self.row("events of a stream that are missing", speed["missing"], "",
                 "0", speed["missing"] == 0,
                 f"{speed['emitted'] / 5e6:.0f} million a second, "
                 f"{100 * speed['dropped'] / speed['emitted']:.0f} % dropped "
                 "and counted")

    def recorded(self):
        """A stream through provider and manager into a file; with room
        for a third of a second in which they get no CPU."""
        archive = self.scratch / "paced.fxt"
        done = subprocess.run(
            [self.trace2, "record", "--buffering-mode", "streaming",
             "--buffer-size", "16M", "--output", archive, "--",
             self.perf / "traced", "paced", "3000000"],
            env=environment(), check=True, stderr=subprocess.PIPE, text=True)
        events, dropped = re.search(
            r"^providers 1, events (\d+), dropped (\d+)", done.stderr,
            re.MULTILINE).groups()
        self.row("drops of 1M events/s, trace2 record", int(dropped), "",
                 "0", not int(dropped), f"{events} events recorded")
        archive.unlink()

    def agent(self):
        """Trace points whose events the agent writes as JSON."""
        program = self.perf / "bench-trace"
        pattern = self.scratch / "agent.${rotation}.json"
        answers = [ask([program, "agent", 300_000, pattern], environment())
                   for _ in range(RUNS)]
        took = {key: median(a[key] for a in answers) for key in answers[0]}
        self.row("a trace instant that the agent writes", took["instant"],
                 "ns", "<= 60", took["instant"] <= 60)
        self.row("the same, category off", took["off"], "ns", "<= 1",
                 took["off"] <= 1.0)
        for how, seconds in (("paced", 3), ("speed", 2)):
            emitted = ask([program, f"agent-{how}", seconds, pattern],
                          environment())["emitted"]
            recorded, dropped, files = self.agent_files()
            if how == "paced":
                self.row("drops of 1M events/s into files", dropped, "", "0",
                         dropped == 0, f"{recorded} events, {files} files")
            missing = emitted - recorded - dropped
            self.row(f"events missing in files, {how}", missing, "", "0",
                     missing == 0, f"{100 * dropped / emitted:.0f} % dropped "
                     "and counted")

    def agent_files(self):
        """Events, drops and files of a run; the files are gone then."""
        recorded = dropped = number = 0
        while True:
            path = self.scratch / f"agent.{number + 1}.json"
            if not path.exists():
                return recorded, dropped, number
            number += 1
            text = path.read_bytes()
            recorded += text.count(b'"name":"instant"')
            counts = re.findall(rb'"name":"dropped".*"count":(\d+)', text)
            dropped = int(counts[-1]) if counts else dropped
            path.unlink()

    def big_log(self, size):
        """Real lines of git, evt 4, over and over: `size` bytes.

        Each time the host in the SIDs is another one, so that no process
        comes twice.
        """
        lines = b"".join(
            path.read_bytes()
            for path in sorted(LOGS.glob("evt4-*/*.event"))
            if "nonutf8" not in path.name
        )
        path = self.scratch / f"{size}.event"
        with path.open("wb") as out:
            for number in range(size // len(lines) + 1):
                host = b"-H%08x-P" % number
                out.write(re.sub(rb"-H[0-9a-f]{8}-P", host, lines))
        return path

    def seconds(self, command):
        """Of one run, silent. What subprocess adds is a tenth of 10 ms."""
        words = [str(word) for word in command]
        nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        start = time.perf_counter()
        process = os.posix_spawnp(words[0], words, os.environ,
                                  file_actions=nowhere)
        os.waitpid(process, 0)
        return time.perf_counter() - start

    def beside_itself(self, log):
        """MB/s of two processes at once: what the machine has to give."""
        command = [self.trace2, "validate", log]
        start = time.perf_counter()
        running = [subprocess.Popen(command, stdout=subprocess.DEVNULL)
                   for _ in range(2)]
        for process in running:
            process.wait()
        return 2 * log.stat().st_size / 1e6 / (time.perf_counter() - start)

    def speed(self, log, *options, trace2=None):
        """MB/s with these options."""
        took = self.seconds([trace2 or self.trace2, "validate", *options, log])
        return log.stat().st_size / 1e6 / took

    def validate(self, large):
        log = self.big_log(200_000_000)
        rounds = [(self.speed(log),
                   self.speed(log, "--ignore", "stream"),
                   self.beside_itself(log),
                   self.speed(log, trace2=self.plain))
                  for _ in range(RUNS)]  # fmt: skip
        one, schema, beside, plain = zip(*rounds)
        value = median(one)
        self.row("trace2 validate, all rules", value, "MB/s",
                 ">= 600", value >= 600, f"{max(one):.0f} at best")
        self.row("the same without `make release`", median(plain), "MB/s", "",
                 None, f"{max(plain):.0f} at best")
        self.row("the same, schemas alone", median(schema), "MB/s", ">= 700",
                 median(schema) >= 700,
                 f"--ignore stream; {max(schema):.0f} at best")
        most = median([b / a for a, b in zip(one, beside)])
        self.row("two processes / one, a file each", most, "x", "", None,
                 "what the processors have to give")
        log.unlink()
        self.linear(large)
        self.memory()
        shapes.measure(self.trace2, self.row)
        small = self.big_log(2_000_000)
        oracle = small.stat().st_size / 1e6 / self.seconds(
            [sys.executable, ROOT / "t/tools/perf/oracle.py", small])
        self.row("python3-jsonschema, the same schemas", oracle, "MB/s", "",
                 None, f"trace2 validate is {value / oracle:.0f} x as fast")
        self.ajv(small, value)
        small.unlink()

    def linear(self, large):
        """The speed, whatever the size: `--large` adds 1 GB.

        The machine's own speed changes: so the sizes take turns, a turn is
        100 MB at least, and what counts is the speed beside that of the
        same round's other turns. To start takes as long for a small log.
        """
        logs = [self.big_log(size) for size in
                [10_000_000, 100_000_000] + large * [1_000_000_000]]
        sizes = [log.stat().st_size for log in logs]
        whole, starts = [], []
        for _ in range(RUNS):
            starts.append(self.turn(os.devnull, 10))
            whole.append([self.turn(log, max(1, 100_000_000 // size))
                          for log, size in zip(logs, sizes)])  # fmt: skip
        less = [[one - start for one in took]
                for took, start in zip(whole, starts)]  # fmt: skip
        ratio = self.spread(sizes, whole)
        self.row("fastest / slowest of logs of all sizes", ratio, "x",
                 "<= 1.15", ratio <= 1.15,
                 ", ".join(f"{size // 1_000_000} MB" for size in sizes))
        self.row("the same, less the run of an empty one",
                 self.spread(sizes, less), "x", "", None,
                 f"{median(starts) * 1000:.1f} ms")

    @staticmethod
    def spread(sizes, rounds):
        """How much faster the fastest is, of logs that took turns."""
        relative = []
        for took in rounds:
            speeds = [size / one for size, one in zip(sizes, took)]
            relative.append([one / statistics.mean(speeds) for one in speeds])
        relative = [median(of_size) for of_size in zip(*relative)]
        return max(relative) / min(relative)

    def turn(self, log, count):
        """Seconds of a run, of so many one after the other."""
        command = [self.trace2, "validate", log]
        return sum(self.seconds(command) for _ in range(count)) / count

    def peak(self, lines, count):
        """The most memory that the validator had, in bytes.

        What wait4() tells is also the memory of who started it.
        """
        command = [self.trace2, "validate", "--ignore",
                   "stream.unfinished", "-"]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as process:
            for number in range(count):
                process.stdin.write(lines.replace(b"%", b"%08x" % number))
            process.stdin.flush()
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) * 1024

    def memory(self):
        closed = [("version", '"evt":"4","exe":"2.55.0"'),
                  ("start", '"t_abs":0.1,"argv":["git","x"]'),
                  ("exit", '"t_abs":0.2,"code":0'),
                  ("atexit", '"t_abs":0.2,"code":0')]  # fmt: skip
        region = '"nesting":%d,"category":"a","label":"b"'
        opened = [*closed[:2],
                  *(("region_enter", region % depth) for depth in (1, 2, 3)),
                  ("child_start", '"child_id":0,"child_class":"a",'
                   '"use_shell":false,"argv":["x"]')]  # fmt: skip
        few, many = 1_000, 200_000
        for name, events, limit in (("a closed session", closed, 32),
                                    ("an open session", opened, 1024)):
            lines = "".join(
                f'{{"event":"{event}","sid":"20261121T054203.433943Z-H%-'
                f'P00006258","thread":"main",{rest}}}\n'
                for event, rest in events
            ).encode()
            base = self.peak(lines, few)
            value = (self.peak(lines, many) - base) / (many - few)
            self.row(f"memory of {name}", value, "B", f"<= {limit}",
                     value <= limit)
        self.row("memory beside that", base / 1e6, "MB", "<= 64",
                 base <= 64 << 20)

    def convert(self):
        log = self.big_log(100_000_000)
        megabytes = log.stat().st_size / 1e6
        one_core = ["taskset", "-c", "0"] if shutil.which("taskset") else []
        for form, least in (("fxt", 100), ("json", None)):
            value = median([
                megabytes / self.seconds([*one_core, self.trace2, "convert",
                                          log, self.scratch / f"out.{form}"])
                for _ in range(RUNS)
            ])
            self.row(f"trace2 convert to {form}", value, "MB/s",
                     f">= {least}" if least else "",
                     value >= least if least else None,
                     f"{megabytes:.0f} MB of EVENT log on one core")

    def ajv(self, log, ours):
        """npm's ajv, where npm and the package are there."""
        modules = self.perf / "node_modules"
        if not shutil.which("npm"):
            print("SKIP ajv: npm is not installed")
            return
        if not (modules / "ajv").exists():
            subprocess.run(["npm", "install", "--silent", "--no-save",
                            "--prefix", str(self.perf), "ajv@8"],
                           check=False, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        if not (modules / "ajv").exists():
            print("SKIP ajv: npm could not install it")
            return
        bundle = self.perf.parent / "schema/evt4.bundle.json"
        env = dict(os.environ, NODE_PATH=str(modules.resolve()))
        answer = ask(["node", ROOT / "t/tools/perf/ajv.cjs", bundle, log], env)
        self.row("ajv, the same schemas", answer["speed"], "MB/s", "", None,
                 f"trace2 validate is {ours / answer['speed']:.1f} x as fast")

    def save(self, build):
        path = build / "bench.json"
        path.write_text(json.dumps(self.rows, indent=1) + "\n")
        shutil.rmtree(self.scratch)
        missed = [row["name"] for row in self.rows if row["met"] is False]
        print(f"\n{path}: medians of {RUNS}; "
              + (f"not met: {', '.join(missed)}" if missed
                 else "all targets met"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--trace2", type=pathlib.Path, required=True)
    parser.add_argument("--large", action="store_true",
                        help="validate a log of 1 GB, too")
    options = parser.parse_args()
    bench = Bench(options.build, options.trace2)
    bench.off()
    for target in VARIABLES:
        bench.event(target)
    bench.regions()
    bench.process()
    bench.trace()
    bench.recorded()
    bench.agent()
    bench.validate(options.large)
    bench.convert()
    bench.save(options.build)


if __name__ == "__main__":
    main()
