"""The package in the oldest Node that it is for, and in the newest of npm.

    versions.py TARBALL [VERSION ...]

Each is fetched by npm into a folder that goes away; then the package is
installed in an empty folder and used as its README says. Without npm, or
where it brings no Node, a line says SKIP.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VERSIONS = ("18", "latest")
COMMANDS = (
    "record -- git status", "summary trace.event",
    "report -o fetch.html trace.event", "validate trace.event",
    "redact -o to-share.event trace.event", "convert trace.event trace.fxt",
    "convert --to otlp trace.event spans.json",
    "table --format sqlite -o rows.db trace.event",
    "record -o page.html -- git status")
API = """
import { validate, summarize, redact, convert, report, table, Trace2Error }
    from 'trace2';
import fs from 'node:fs';
const log = fs.readFileSync('trace.event');
const { ok } = await validate(fs.createReadStream('trace.event'));
const { processes } = await summarize(log);
const { complete } = await redact(log, { hide: ['paths', 'users'] });
const done = [ok, processes === 1, complete,
    (await convert(log, { to: 'fxt' })).length > 1000,
    (await report(log)).includes('Where the time went'),
    (await table(log)).split('\\n').length === 3,
    await summarize('no log').catch((error) => error instanceof Trace2Error)];
if (!done.every(Boolean))
    throw new Error(`the API says ${done}`);
"""


def run(command, folder, path=None):
    env = dict(os.environ)
    if path:
        env["PATH"] = f"{path}:{env['PATH']}"
    done = subprocess.run(command, cwd=folder, env=env, timeout=300,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def install(folder, *packages):
    (folder / "package.json").write_text("{}")
    return run(["npm", "install", "--no-audit", "--no-fund",
                "--fetch-retries=0", *packages], folder)


def use_package(node, folder, tarball):
    """What does not work, as text."""
    code, _, said = install(folder, str(tarball))
    if code:
        return f"it can't be installed: {said}"
    run(["git", "init", "-q"], folder)
    for command in COMMANDS:
        code, _, said = run(["node", "node_modules/.bin/trace2",
                             *command.split()], folder, node.parent)
        if code or "arning" in said:
            return f"trace2 {command}: exit code {code}: {said}"
    (folder / "api.mjs").write_text(API)
    code, _, said = run([node, "api.mjs"], folder)
    return said


def try_version(version, tarball):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("node", "empty"):
            (folder / name).mkdir()
        code, _, said = install(folder / "node", f"node@{version}")
        node = folder / "node/node_modules/.bin/node"
        if code or not node.exists():
            print(f"SKIP Node {version}: npm does not bring it: {said}")
            return 0
        _, number, _ = run([node, "--version"], folder)
        fault = use_package(node, folder / "empty", tarball)
    print(f"Node {number.strip()}: {fault or 'the package works'}")
    return 1 if fault else 0


def main(tarball, *versions):
    if not shutil.which("npm"):
        print("SKIP versions of Node: there is no npm")
        return 0
    return max(try_version(version, Path(tarball).absolute())
               for version in versions or VERSIONS)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
