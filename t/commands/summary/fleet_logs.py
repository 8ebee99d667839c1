"""Logs of a fleet: real ones of git, with other SIDs, times and hosts.

    t/commands/summary/fleet_logs.py COUNT DIRECTORY [SEED]

makes COUNT logs or some more, the files of whole commands, in directories of
a thousand. The same seed makes the same logs.
"""

import hashlib
import random
import re
import sys
from datetime import datetime, timedelta
from pathlib import Path

REAL = Path(__file__).resolve().parents[2] / "corpus/pass/real"
FORM = "%Y%m%dT%H%M%S.%f"
SID = re.compile(r"(\d{8}T\d{6}\.\d{6})Z-H([0-9a-f]{8})-P([0-9a-f]{8})")
TIME = re.compile(r'"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})Z"')
HOSTS = 1000
DAYS = 28
IN_FOLDER = 1000


def read_trees():
    """The commands of the real logs: lists of the texts of their files."""
    trees = {}
    for path in sorted(REAL.glob("*/dir/*")):
        text = path.read_text()
        root = SID.search(text)
        trees.setdefault(root[0], []).append(text)
    return [trees[name] for name in sorted(trees)]


def move(text, shift, host, pids):
    """The same, at another time, on another host, with other pids."""

    def sid(found):
        time = datetime.strptime(found[1], FORM) + shift
        pid = (int(found[3], 16) + pids) & 0xffffff
        return f"{time.strftime(FORM)}Z-H{host}-P{pid:08x}"

    def time(found):
        moved = datetime.fromisoformat(found[1]) + shift
        return f'"time":"{moved.isoformat(timespec="microseconds")}Z"'

    return TIME.sub(time, SID.sub(sid, text))


def make_logs(count, folder, seed=1):
    """Write the logs. Returns (files, bytes)."""
    trees, chance = read_trees(), random.Random(seed)
    made = size = number = 0
    while made < count:
        shift = timedelta(seconds=chance.randrange(DAYS * 86400),
                          microseconds=chance.randrange(10**6))
        host = hashlib.sha256(
            b"%d" % chance.randrange(HOSTS)).hexdigest()[:8]
        pids = chance.randrange(1 << 24)
        for text in chance.choice(trees):
            place = folder / f"{made // IN_FOLDER:05}"
            if made % IN_FOLDER == 0:
                place.mkdir(parents=True)
            log = move(text, shift, host, pids)
            (place / f"{number:08}").write_text(log)
            made, size, number = made + 1, size + len(log), number + 1
    return made, size


if __name__ == "__main__":
    print("%d files, %d bytes" % make_logs(
        int(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:])))
