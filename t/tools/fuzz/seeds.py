#!/usr/bin/python3
"""Copies what a fuzzer begins with: seeds.py TARGET FOLDER. That is what
the corpora of the suite have for it, and what reached something new once,
of which corpus/TARGET has the least that reaches it all:

    build/fuzz/TARGET -merge=1 -use_counters=0 t/tools/fuzz/corpus/TARGET
        build/fuzz/corpus/TARGET

The first byte of a seed for the reader decides how it is fed.
"""

import sys
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent.parent / "corpus"
KEPT = Path(__file__).resolve().parent / "corpus"
LARGEST = 8192
WHOLE = b"\xfc"


def archives():
    for path in sorted(CORPUS.glob("*/fxt*/*.fxt")):
        yield WHOLE + path.read_bytes()


def logs():
    for path in sorted(CORPUS.rglob("*.event")):
        if path.is_file():
            yield path.read_bytes()


def texts():
    """EVENT, NORMAL, and PERF, each with all that can be asked for."""
    for log in logs():
        yield b"\xec" + log
    for form, name in ((b"\xdd", "normal"), (b"\x66", "perf")):
        for path in sorted((CORPUS.parent.parent / "golden" / name).iterdir()):
            yield form + path.read_bytes()


def hidden():
    """Events from which all is hidden, or only passwords; and the other two
    formats."""
    for log in logs():
        yield b"\x1f" + log
        yield b"\x00" + log
    for form, name in ((b"\x40", "normal"), (b"\x80", "perf")):
        for path in sorted((CORPUS.parent.parent / "golden" / name).iterdir()):
            yield form + path.read_bytes()


def written():
    """By hand: one text in each file, its newline included."""
    name = sys.argv[1]
    for path in sorted((Path(__file__).parent / "seeds" / name).iterdir()):
        yield path.read_bytes()


# The manager's inputs are steps, which no corpus has.
TARGETS = {"fxt_reader": archives, "fxt_convert": logs, "manager": tuple,
           "validate": texts, "config": written, "settings": written,
           "texts": written, "redact": hidden}  # fmt: skip


def main(target, folder):
    seeds = {seed for seed in TARGETS[target]() if len(seed) < LARGEST}
    seeds.update(path.read_bytes() for path in (KEPT / target).glob("*"))
    for number, seed in enumerate(sorted(seeds)):
        (Path(folder) / f"seed-{number:04}").write_bytes(seed)


if __name__ == "__main__":
    main(*sys.argv[1:])
