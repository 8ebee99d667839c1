"""Sets of small logs for the tests of `trace2 diff`, and its test again."""

import math
import random
import zlib
from collections import Counter

from summary_kit import event, life, region, write_log

EXACT = 20


def make_set(folder, times, name="status", label="scan", extra=()):
    """One log for each time that its region takes; the rest takes 0.1 s."""
    folder.mkdir(exist_ok=True)
    host = zlib.crc32(name.encode())
    for number, time in enumerate(times):
        sid = f"20261123T100000.000000Z-H{host:08x}-P{number:08x}"
        inner = [*region(sid, 0.1, 0.1 + time, label), *extra]
        end = 0.1 + time
        write_log(folder / f"{name}{number}", *life(sid, *inner, end=end, name=name))
    return folder


def draw_times(seed, count, mean=0.2, spread=0.01):
    """Durations in whole microseconds."""
    rng = random.Random(seed)
    return [round(rng.gauss(mean, spread), 6) for _ in range(count)]


def child(sid, start, end, child_id=0):
    common = {"child_id": child_id}
    return [
        event(sid, "child_start", start, **common, child_class="hook",
              hook_name="pre-commit", use_shell=False, argv=["x"]),
        event(sid, "child_exit", end, **common, pid=7, code=0,
              t_rel=end - start),
    ]  # fmt: skip


def exact_chance(a, b):
    """Count all ways to choose the ranks of `a`."""
    both = a + b

    def rank(value):
        below = sum(other < value for other in both)
        return 2 * below + sum(other == value for other in both) + 1

    wanted = sum(rank(value) for value in a)
    ways = [Counter() for _ in range(len(a) + 1)]
    ways[0][0] = 1
    for one in map(rank, both):
        for chosen in range(len(a), 0, -1):
            for total, count in list(ways[chosen - 1].items()):
                ways[chosen][total + one] += count
    found = ways[len(a)].items()
    low = sum(count for total, count in found if total <= wanted)
    high = sum(count for total, count in found if total >= wanted)
    return min(1, 2 * min(low, high) / math.comb(len(both), len(a)))


def normal_chance(a, b):
    """Count the pairs in which the value of `a` is the larger one."""
    n, product = len(a) + len(b), len(a) * len(b)
    pairs = sum((x > y) + (x == y) / 2 for x in a for y in b)
    ties = sum(t**3 - t for t in Counter(a + b).values())
    spread = math.sqrt(product / 12 * (n + 1 - ties / (n * (n - 1))))
    off = abs(pairs - product / 2) - 0.5
    return min(1, math.erfc(off / spread / math.sqrt(2)))


def chance(a, b):
    both_are_small = max(len(a), len(b)) <= EXACT
    return exact_chance(a, b) if both_are_small else normal_chance(a, b)


def correct(chances):
    """Holm's correction of {name: p}."""
    result, before = {}, 0
    for place, name in enumerate(sorted(chances, key=chances.get)):
        before = max(before, chances[name] * (len(chances) - place))
        result[name] = min(before, 1)
    return result
