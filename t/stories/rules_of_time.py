"""The time of a log by its rules, in the plainest words: what the lengths of
processes, threads, regions and children are.

An event's place in its process is its t_abs, if it has one. Else it is the
place before plus the difference of `time` (0 if that is missing or negative);
what goes past the next t_abs is cut from the largest difference. A length is
the t_rel of what closes a span. What is open ends with its thread or process.
A process that exec'd ends where its successor ends.
"""

import re
from datetime import datetime, timedelta

EPOCH = datetime(1970, 1, 1)
PID = re.compile(r"-P([0-9a-f]{8})$")
TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?"
                  r"(Z|[+-]\d\d:\d\d)")
ENDS = {"atexit": 3, "exit": 2, "signal": 1}


def read_us(value):
    """Seconds as microseconds, or None."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return round(value * 1_000_000) if number else None


def read_time(text):
    """Microseconds since 1970, or None."""
    found = TIME.fullmatch(text) if isinstance(text, str) else None
    if not found:
        return None
    day, fraction, zone = found.groups()
    try:
        moment = datetime.fromisoformat(day) - EPOCH
    except ValueError:
        return None
    if zone != "Z":
        minutes = int(zone[1:3]) * 60 + int(zone[4:])
        moment -= timedelta(minutes=minutes) * int(f"{zone[0]}1")
    return (moment // timedelta(microseconds=1)
            + int((fraction or "").ljust(6, "0")))


class Process:
    """The events of a SID, and what they add up to."""

    def __init__(self, sid):
        self.sid = sid
        self.events = []
        self.spans = []  # kind, thread, name, begin, length
        self.calls = []  # begin, end, id, pid of each child
        self.length = None
        self.begins = {}  # places of what is open, while they are found
        self.exec = None  # the place of one that did not fail
        last = PID.search(sid)
        self.pid = last[1] if last else ""

    def begin(self):
        """When it began by the clock, or None."""
        times = ((read_time(event.get("time")), event["place"])
                 for event in self.events)
        return next((time - place for time, place in times
                     if time is not None), None)

    def follow_exec(self, children):
        """It goes on as its successor: with its pid, else the next one."""
        self.exec = self.find_exec()
        if self.exec is None:
            return
        later = [child for child in children if self.begins_later(child)]
        same = [child for child in later if child.pid == self.pid]
        for child in (same or later)[:1]:
            gap = self.exec
            if None not in (self.begin(), child.begin()):
                gap = max(gap, child.begin() - self.begin())
            self.length = max(self.length, gap + child.length)

    def find_open(self, child):
        """The calls that are open as the child begins; all without times."""
        if None in (self.begin(), child.begin()):
            return self.calls
        at = child.begin() + child.events[0]["place"] - self.begin()
        return [call for call in self.calls if call[0] <= at <= call[1]]

    def find_call(self, child):
        """The id of the call that this process is, or in which it ran. One
        whose pid is not said counts more than an earlier one with this pid."""
        calls = self.find_open(child)
        same = [call for call in self.calls
                if isinstance(call[3], int)
                and call[3] & 0xffffffff == int(child.pid or "0", 16)]
        fit = [call for call in calls if call in same]
        if not fit and len(calls) < len(self.calls):
            fit = [call for call in calls if call[3] is None]
        fit = fit or same or calls
        number = fit[-1][2] if fit else None
        return "exec" if isinstance(number, tuple) else number

    def begins_later(self, child):
        if None in (self.begin(), child.begin()):
            return True
        return child.begin() + child.events[0]["place"] >= (
            self.begin() + self.exec)

    def find_exec(self):
        place = None
        for event in self.events:
            if event["event"] == "exec":
                place = event["place"]
            elif event["event"] == "exec_result":
                place = None
        return place

    def place_events(self):
        """Give each event its place, in microseconds since the begin."""
        places, last = [], None
        for event in self.events:
            now = read_time(event.get("time"))
            step = now - last if None not in (now, last) else 0
            places.append(max(step, 0))
            last = now if now is not None else last
        before, place = -1, 0
        for number, event in enumerate(self.events):
            known = self.find_place(event, sum(places[:number + 1]))
            if known is None or number == before:
                continue
            place = max(place, known)
            self.fit(places, before, number, place)
            before = number
        place = 0
        for number, step in enumerate(places):
            place = self.events[number]["place"] = place + step

    def find_place(self, event, place):
        """Where a t_abs says that it is, or the t_rel of what it ends."""
        kind, _, ends = event["event"].rpartition("_")
        key = kind, event.get("thread"), event.get("child_id")
        if ends in ("enter", "start") and kind:
            self.begins.setdefault(key, []).append(place)
        t_abs, t_rel = (read_us(event.get(name)) for name in ("t_abs", "t_rel"))
        if t_abs is not None or ends not in ("leave", "exit", "ready"):
            return t_abs
        begins = self.begins.get(key)
        begin = begins.pop() if begins else None
        return None if None in (begin, t_rel) else begin + t_rel

    @staticmethod
    def fit(steps, before, number, place):
        """Make the steps up to an event that has a t_abs lead to it."""
        so_far = sum(steps[:before + 1])
        inside = range(before + 1, number + 1)
        missing = place - so_far - sum(steps[i] for i in inside)
        if missing > 0:
            steps[number if before >= 0 else 0] += missing
        while missing < 0:
            widest = max(inside, key=lambda i: steps[i])
            others = [steps[i] for i in inside if i != widest]
            cut = min(-missing, max(steps[widest] - max(others, default=0), 1))
            steps[widest] -= cut
            missing += cut

    def find_end(self):
        ends = [event for event in self.events
                if event["event"] in ENDS
                and read_us(event.get("t_abs")) is not None]
        last = self.events[-1]
        if not ends:
            self.length = last["place"]
            return
        rank = max(ENDS[event["event"]] for event in ends)
        end = [event for event in ends if ENDS[event["event"]] == rank][-1]
        self.length = read_us(end["t_abs"])
        after = self.events[self.events.index(end) + 1:]
        if after:
            self.length = max(self.length, after[-1]["place"])

    def find_spans(self):
        """When the end is known."""
        self.main = next((event.get("thread") or "main" for event in self.events
                          if event["event"] == "start"),
                         self.events[0].get("thread") or "main")
        self.open = {}      # thread: regions that are open
        self.threads = {}   # name: place of its start
        self.children = {}  # id: what began and is open
        self.replaced = []  # what began with an id that was open
        for event in self.events:
            take = getattr(self, f"take_{event['event']}", None)
            if take:
                take(event, event.get("thread") or "main")
        for thread in list(self.open):
            self.close_regions(thread, self.length)
        for thread, begin in self.threads.items():
            self.add("thread", thread, "", begin, self.length - begin)
        for number, (begin, thread, name) in (*self.children.items(),
                                              *self.replaced):
            self.add("child", thread, name, begin, self.length - begin)
            self.calls.append((begin, self.length, number, None))
        self.calls.sort(key=lambda call: call[0])

    def add(self, kind, thread, name, begin, length):
        self.spans.append((kind, thread, name, begin, max(length, 0)))

    def take_region_enter(self, event, thread):
        name = f"{event.get('category', '')}/{event.get('label', '')}"
        self.open.setdefault(thread, []).append((name, event["place"]))

    def take_region_leave(self, event, thread):
        t_rel = read_us(event.get("t_rel"))
        stack = self.open.get(thread)
        if stack:
            name, begin = stack.pop()
            length = event["place"] - begin if t_rel is None else t_rel
            self.add("region", thread, name, begin, length)
        elif t_rel is not None and event.get("nesting", 1):
            name = f"{event.get('category', '')}/{event.get('label', '')}"
            begin = event["place"] - t_rel
            self.add("region", thread, name, begin, t_rel)

    def close_regions(self, thread, place):
        for name, begin in self.open.pop(thread, []):
            self.add("region", thread, name, begin, place - begin)

    def take_thread_start(self, event, thread):
        if thread == self.main:
            return
        self.threads[thread] = event["place"]

    def take_thread_exit(self, event, thread):
        begin = self.threads.pop(thread, None)
        t_rel = read_us(event.get("t_rel"))
        if begin is None:
            self.close_regions(thread, event["place"])
            return
        length = event["place"] - begin if t_rel is None else t_rel
        self.add("thread", thread, "", begin, length)
        self.close_regions(thread, begin + length)

    def take_child_start(self, event, thread):
        name = event.get("child_class", "")
        self.begin_child(event.get("child_id"), event["place"], thread, name)

    def begin_child(self, number, *what):
        if number in self.children:
            self.replaced.append((number, self.children[number]))
        self.children[number] = what

    def end_child(self, number):
        """The last one with this id; then the one before it has it again."""
        found = self.children.pop(number, None)
        before = [one for one in self.replaced if one[0] == number]
        if before:
            self.replaced.remove(before[-1])
            self.children[number] = before[-1][1]
        return found

    def take_child_exit(self, event, _thread):
        number = event.get("child_id")
        found = self.end_child(number)
        t_rel = read_us(event.get("t_rel"))
        if found:
            begin, thread, name = found
            length = event["place"] - begin if t_rel is None else t_rel
            self.add("child", thread, name, begin, length)
            self.calls.append((begin, begin + length, number,
                               event.get("pid")))

    take_child_ready = take_child_exit

    def take_exec(self, event, thread):
        key = "exec", event.get("exec_id")
        self.begin_child(key, event["place"], thread, "exec")

    def take_exec_result(self, event, _thread):
        found = self.children.pop(("exec", event.get("exec_id")), None)
        if found:
            begin, thread, name = found
            end = event["place"]
            self.add("child", thread, name, begin, end - begin)
            self.calls.append((begin, end, "exec", None))


def read_processes(events):
    """The processes of a log by SID."""
    found = {}
    for event in events:
        sid = event.get("sid")
        if isinstance(sid, str) and isinstance(event.get("event"), str):
            found.setdefault(sid, Process(sid)).events.append(event)
    # Inner ones first: they may be successors.
    for sid in sorted(found, key=lambda sid: -sid.count("/")):
        process = found[sid]
        process.place_events()
        process.find_end()
        process.follow_exec([other for other in found.values()
                             if other.sid.rpartition("/")[0] == sid])
        process.find_spans()
    return found
