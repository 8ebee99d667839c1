"""A fixed sample of mutants, each with the test that a full run saw notice
it: quick to judge again, for nothing has to be found out first.

sample.tsv: file, function, original, mutation, test; see run.
"""

import random

import judge

SEED = 1
LONGEST = 0.3  # seconds that a test of the sample may take
GONE = 0.2  # so much of the sample may have no place in the code any more


def draw(mutants, count, seed):
    """So many of them in their order, or all of them without a count."""
    if not count or count >= len(mutants):
        return mutants
    drawn = random.Random(seed).sample(range(len(mutants)), count)
    return [mutants[number] for number in sorted(drawn)]


def read(path):
    """[(key of the mutant, name of the test)]"""
    lines = path.read_text().splitlines()
    rows = (line.rpartition("\t") for line in lines if line[:1] != "#")
    return [(key, test) for key, _, test in rows]


def choose(mutants, results, seconds, count):
    """Rows of so many mutants; `seconds` has what each test takes."""
    found = []
    for mutant in mutants:
        row = results.of(mutant)
        if (row and row["verdict"] == judge.KILLED
                and seconds.get(row["by"], LONGEST) < LONGEST):
            found.append((mutant.key, row["by"]))
    return sorted(random.Random(SEED).sample(found, min(count, len(found))))


def write(path, rows):
    head = ("# Mutants and the test that notices each: `make check-mutation`."
            "\n# Chosen by t/tools/mutation/run --choose, after a full run.\n")
    path.write_text(head + "".join("\t".join(row) + "\n" for row in rows))


def first_outcomes(tests, jobs):
    """Without a mutant: {name: (outcome, seconds)}"""
    work = ((test, {}, [test], {}) for test in tests)
    return {test.name: (rows[-1][1], rows[-1][2]) if rows else ("", 0)
            for test, rows in judge.in_parallel(jobs, work)}


class Sample:
    def __init__(self, rows, mutants, tests):
        by_key = {mutant.key: mutant for mutant in mutants}
        by_name = {test.name: test for test in tests}
        self.size = len(rows)
        self.pairs = [(by_key[key], by_name[name]) for key, name in rows
                      if key in by_key and name in by_name]
        self.gone = [f"{key}\t{name}" for key, name in rows
                     if key not in by_key or name not in by_name]

    def run(self, jobs):
        """The (mutant, test) that come out as if there were no mutant."""
        tests = {test.name: test for _, test in self.pairs}
        expected = first_outcomes(tests.values(), jobs)
        good = [(m, t) for m, t in self.pairs
                if judge.is_good(expected[t.name][0])]
        work = (((m, t), {"TR2_MUTANT": str(m.number)}, [t], expected)
                for m, t in good)
        unnoticed = [pair for pair, rows in judge.in_parallel(jobs, work)
                     if rows and rows[-1][1] == expected[pair[1].name][0]]
        bad = [t.name for _, t in self.pairs
               if not judge.is_good(expected[t.name][0])]
        return unnoticed, sorted(set(bad))

    def sure(self, jobs):
        """The rows that come out again as they were found."""
        unnoticed, bad = self.run(jobs)
        return [(mutant.key, test.name) for mutant, test in self.pairs
                if (mutant, test) not in unnoticed and test.name not in bad]

    def is_worn(self):
        return len(self.gone) > GONE * self.size
