#!/usr/bin/python3
"""Compares the config reader with git's: gitconfig.py TEST-TOOL COUNT [SEED]

Makes config files of some forty entries each, in every way to write them
that the grammar has, until there were COUNT entries, and asks both
`git config --list -z` and test-tool what is in them. One in ten is broken
somewhere; then both have to refuse it (git names the line where it gave up,
we the one where the statement begins).
"""

import os
import random
import re
import subprocess
import sys
import tempfile

ENTRIES = 40
BLANKS = ["", " ", "\t", "  "]
PIECES = ["a", "Value", "x y", "\\n", "\\t", '\\"', "\\\\", '" # "', '"  "',
          "\\\n", "0", "é", "[", "]", "=", "'", '""']  # fmt: skip
NOISE = "[]\"\\#;=\n\r\t a.\x01\xff"


def one_of(rnd, *choices):
    return rnd.choice(choices)


def name(rnd, length=6):
    letters = "abcXYZ019-"
    rest = "".join(rnd.choices(letters, k=rnd.randrange(length)))
    return rnd.choice("abcXYZ") + rest


def section(rnd):
    first = name(rnd)
    sub = "".join(rnd.choices(["a", "B", ".", " ", '\\"', "\\\\", "\\x", "/"],
                              k=rnd.randrange(5)))  # fmt: skip
    return one_of(rnd, f"[{first}]", f"[{first}.{name(rnd)}]",
                  f'[{first} "{sub}"]', f'[{first}\t "{sub}"]')  # fmt: skip


def value(rnd):
    text = "".join(rnd.choices(PIECES, k=rnd.randrange(6)))
    comment = one_of(rnd, "", "", "", " # c", " ; c")
    return one_of(rnd, *BLANKS) + text + comment


def statement(rnd):
    key = name(rnd)
    if rnd.random() < 0.1:
        return key
    return f"{key}{one_of(rnd, *BLANKS)}={value(rnd)}"


def line(rnd):
    return one_of(rnd, *BLANKS) + rnd.choices(
        [statement(rnd), section(rnd), "# comment", "; [x]", "",
         section(rnd) + " " + statement(rnd)],
        [12, 3, 1, 1, 1, 1],
    )[0]  # fmt: skip


def config(rnd):
    text = one_of(rnd, "", "", "\ufeff") + section(rnd) + "\n"
    end = one_of(rnd, "\n", "\n", "\r\n")
    text += end.join(line(rnd) for _ in range(ENTRIES))
    text += one_of(rnd, "", "\n")
    data = bytearray(text.encode())
    if rnd.random() < 0.1:
        place = rnd.randrange(len(data))
        data[place:place + rnd.randrange(3)] = rnd.choice(NOISE).encode("latin-1")
    return bytes(data)


def run(command, env):
    return subprocess.run(command, env=env, cwd=env["HOME"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def refused(stderr):
    """The line at which the text was refused, or None."""
    found = re.search(rb"bad config line (\d+)", stderr)
    return found and int(found[1])


def blanks(listing):
    """Up to 2.44 git makes blanks of tabs and CR inside of a value."""
    return listing.replace(b"\t", b" ").replace(b"\r", b" ")


def difference(tool, env):
    theirs = run(["git", "config", "--list", "-z"], env)
    ours = run([tool, "gitconfig", "early"], env)
    ours_list = b"".join(part + b"\0"
                         for part in ours.stdout.split(b"\0")[1::2])
    if refused(theirs.stderr) or refused(ours.stderr):
        lines = refused(theirs.stderr), refused(ours.stderr)
        return None if all(lines) else f"lines {lines}", 0
    count = theirs.stdout.count(b"\0")
    same = blanks(theirs.stdout) == blanks(ours_list)
    return None if same else "lists", count


def main(tool, wanted, seed="1"):
    rnd = random.Random(int(seed))
    entries = files = bad = 0
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "config")
        env = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C",
               "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": path,
               "GIT_CEILING_DIRECTORIES": os.path.dirname(home)}
        while entries < int(wanted):
            data = config(rnd)
            with open(path, "wb") as file:
                file.write(data)
            found, count = difference(tool, env)
            if found:
                sys.exit(f"{found} differ, for {data!r}")
            entries += count
            files += 1
            bad += not count
    print(f"{entries} entries of {files} files, {bad} refused: no difference")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), *sys.argv[2:])
