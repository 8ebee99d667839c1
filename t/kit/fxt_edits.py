"""Faults in archives of FXT: edits of run.files["fxt"], if it is there.

    fault(id, scenario, edit=fxt_edits.events(2, fxt_edits.gone))
"""

from kit import fxt


def archive(change, path="fxt"):
    """An edit: every archive of that name as change(bytes) gives it."""
    def edit(run):
        for name in run.files:
            if name == path or name.startswith(path + "/"):
                run.files[name] = change(run.files[name])
        return run
    return edit


def text(old, new):
    """Other bytes, as many."""
    assert len(old) == len(new)
    return archive(lambda data: data.replace(old, new))


def records(change):
    """change(words): a record's words, or None for no record."""
    return archive(lambda data: fxt.rewrite(data, change))


def events(kind, change):
    """As records(), of events of that type."""
    def only(words):
        mine = (words[0] & 15, words[0] >> 16 & 15) == (fxt.EVENT, kind)
        return change(words) if mine else words
    return records(only)


def gone(words):
    return None


def typed(kind):
    """A record as an event of another type, without its last word."""
    def change(words):
        head = words[0] & ~(15 << 16 | 0xfff << 4)
        size = len(words) - 1
        return (head | kind << 16 | size << 4, *words[1:-1])
    return change


def last_word(kind, more):
    """The word behind the arguments, larger by so much."""
    return events(kind, lambda words: (*words[:-1], words[-1] + more))


def later(ticks):
    def change(words):
        if words[0] & 15 != fxt.EVENT:
            return words
        return (words[0], words[1] + ticks, *words[2:])
    return records(change)


def args(kind, change):
    """change(header) of the arguments of that type, in instants of ours:
    thread, category and name by index."""
    def edit(words):
        count, at, made = words[0] >> 20 & 15, 2, list(words)
        for _ in range(count):
            if made[at] & 15 == kind:
                made[at] = change(made[at])
            at += made[at] >> 4 & 0xfff
        return tuple(made)
    return events(0, edit)


def as_pointer(header):
    """An int64 as a pointer: read as unsigned."""
    return header & ~15 | 7
