"""Mutants of which a compiler makes the same code as of the original: object
files that are equal byte for byte. No test could tell them apart, so they
are not counted. Asked for are those that equivalent.tsv claims to be such,
and those that survive.

    same = SameCode(path)
    same.of(mutants, jobs)  # those of them
"""

import concurrent.futures
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

# The reason of those in equivalent.tsv.
CLAIM = "the compiler makes the same code of it"
COMPILERS = [command for command in (["gcc", "-O2"], ["clang", "-O2"])
             if shutil.which(command[0])]


class SameCode:
    """What was found is kept at `path`, as long as the source is the same."""

    def __init__(self, path):
        self.path = path
        self.known = json.loads(path.read_text()) if path.exists() else {}
        self.originals = {}

    def of(self, mutants, jobs):
        todo = [m for m in mutants if not self.is_known(m)]
        for mutant in todo:
            self.read(mutant)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for mutant, is_same in zip(todo, pool.map(self.is_same, todo)):
                self.known[mutant.key] = mutant.digest, is_same
        self.path.write_text(json.dumps(self.known))
        return [m for m in mutants if self.known[m.key][1]]

    def is_known(self, mutant):
        return self.known.get(mutant.key, [""])[0] == mutant.digest

    def read(self, mutant):
        """The original, and the code of it, once a file."""
        if mutant.file not in self.originals:
            text = Path(mutant.file).read_bytes()
            code = [compiled(c, mutant, text) for c in COMPILERS]
            self.originals[mutant.file] = text, code

    def is_same(self, mutant):
        text, codes = self.originals[mutant.file]
        mutated = (text[:mutant.start] + mutant.mutation.encode("latin-1")
                   + text[mutant.end:])
        return any(code and compiled(compiler, mutant, mutated) == code
                   for compiler, code in zip(COMPILERS, codes))


def compiled(compiler, mutant, text):
    """The object file; empty if it is refused."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "one.o"
        subprocess.run(
            [*compiler, *mutant.flags, "-w", "-iquote",
             os.path.dirname(mutant.file), "-x", "c", "-c", "-o", out,
             "-"], input=text, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        return out.read_bytes() if out.exists() else b""
