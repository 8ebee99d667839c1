"""What the unit programs are worth: which mutants they alone notice.

t/tools/mutation/run --worth judges mutants without the unit programs first. Each
that survives then meets every unit program that reaches it, alone. Printed
are the survivors with the places in t/unit that notice them, and how many
each program is needed for.
"""

import collections
import re

import judge

PLACE = re.compile(r"t/unit/\S+")


def meet_each(mutants, one, jobs):
    """{mutant: {name of a unit program: places that notice it}}"""
    work = (((mutant, test), {"TR2_MUTANT": str(mutant.number)}, [test],
             one.expected)
            for mutant in mutants for test in one.reaching(mutant))
    found = {mutant: {} for mutant in mutants}
    for (mutant, test), rows in judge.in_parallel(jobs, work):
        outcome = rows[-1][1] if rows else ""
        if outcome != one.expected[test.name][0]:
            found[mutant][test.name] = PLACE.findall(outcome) or [outcome]
    return found


def show(found, judged):
    """Lines about survivors, and what units add."""
    needed = collections.Counter()
    for mutant, killers in sorted(found.items(), key=lambda p: p[0].number):
        yield mutant.shown().rstrip()
        if len(killers) == 1:
            needed[next(iter(killers))] += 1
        for name, places in killers.items():
            yield f"    {name}: {' '.join(places)}"
        yield "" if killers else "    nothing\n"
    for name, count in needed.most_common():
        yield f"{name}: alone notices {count}"
    more = sum(map(bool, found.values()))
    without = judged - len(found)
    yield (f"mutants {judged}, without units {share(without, judged)}, "
           f"with them {share(without + more, judged)}")


def share(count, whole):
    return f"{count} ({100 * count / max(1, whole):.1f} %)"
