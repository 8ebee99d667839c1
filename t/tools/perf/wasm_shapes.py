#!/usr/bin/python3
"""The WebAssembly module beside the native command: wasm_shapes.py BUILD TRACE2

CPU time as a ratio within one run (at most 5), the module's size (at most 1.5
MB), and the time to the first answer of a log of 1 MB in a page that is opened
with it (below 0.5 s). What is not built is a row that says SKIP.
"""

import gzip
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LOG = ROOT / "t/corpus/pass/real/evt4-git2.55/clone.event"
MB = 1_000_000
COMMANDS = ("validate", "summary")
FRESH = 5  # browsers
SIZES = (200, 10, 1)  # MB; where a log is small, the start of Node counts


def grow_log(path, size):
    """Copies of a log, each with SIDs of its own."""
    text, sid = LOG.read_text(), "20261121T0542"
    with open(path, "w", encoding="utf-8") as out:
        for number in range(size // len(text) + 1):
            out.write(text.replace(sid, f"20261121T{number % 10000:04}")
                      .replace("H0a7c9cdf", f"H{number:08x}"))


def measure_cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime
            + after.ru_stime - before.ru_stime)


def compare_speed(cli, trace2, folder):
    start = min(measure_cpu(["node", "-e", "0"]) for _ in range(9))
    print(f"wasm: Node itself: {start:.3f} s of CPU to start and end")
    log = folder / "large.event"
    for size in SIZES:
        grow_log(log, size * MB)
        for name in COMMANDS:
            tries = 3 if size == SIZES[0] else 9
            native = min(measure_cpu([trace2, name, str(log)])
                         for _ in range(tries))
            node = min(measure_cpu(["node", str(cli), name, str(log)])
                       for _ in range(tries))
            print(f"wasm: {name} of {size} MB in Node: {node:.3f} s of CPU, "
                  f"{node / native:.1f} times native (5), without Node's "
                  f"start {(node - start) / native:.1f} times")


def measure_page(build, folder):
    sys.path[:0] = [str(ROOT / "t/commands/summary")]
    import browser
    if not browser.is_there() or not (build / "trace2.html").exists():
        print("wasm: SKIP the page: make chromium desk brings what it needs")
        return
    log = folder / "small.event"
    grow_log(log, MB)
    took = sorted(measure_answer(browser, build / "trace2.html", folder, log)
                  for _ in range(FRESH))[FRESH // 2]
    print(f"wasm: first answer of 1 MB, after a browser that just began opens "
          f"the page: {took[0] / 1000:.2f} s (0.5), of which "
          f"{took[1] / 1000:.2f} s after the page is read")


def measure_answer(browser, page, folder, log):
    """Milliseconds since the page was asked for, and since it was read."""
    fresh = browser.Browser(folder / "profile")
    fresh.call("Page.addScriptToEvaluateOnNewDocument", source=f"""
        addEventListener('DOMContentLoaded', async () => {{
            const from = performance.now();
            state.files = [{{ name: 'a.event',
                content: new Blob([{json.dumps(log.read_text())}]) }}];
            await runCommand('', ['record', '--answer-of', 'a.event']);
            window.took = [performance.now(), performance.now() - from]; }});
        """)
    fresh.open(page)
    took = fresh.run("""new Promise((done) => setInterval(
        () => window.took && done(window.took), 10))""")
    fresh.close()
    return took


def main(build, trace2):
    build = Path(build).absolute()
    module, cli = build / "wasm/trace2.wasm", build / "npm/bin/trace2.js"
    if not cli.exists() or not shutil.which("node"):
        print("wasm: SKIP: make deps-wasm npm builds it, and Node runs it")
        return
    data = module.read_bytes()
    print(f"wasm: {len(data) / MB:.2f} MB, {len(gzip.compress(data)) / MB:.2f} "
          "by gzip (1.5)")
    with tempfile.TemporaryDirectory() as folder:
        compare_speed(cli, trace2, Path(folder))
        measure_page(build, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
