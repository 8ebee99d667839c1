"""Where the events of a process lie, for summary_oracle.py."""

import datetime

EPOCH = datetime.datetime(1970, 1, 1)
MICROSECOND = datetime.timedelta(microseconds=1)


def read_time(event):
    text = event["time"]
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return (moment - EPOCH) // MICROSECOND


def microseconds(seconds):
    return round(seconds * 1000000)


class Places:
    """Where the events of a process lie. One that ends a span, or has t_abs,
    says it itself; another one is as far from the one before as their times
    are. Is that far, the next one that says it decides first."""

    FAR = 2000

    def __init__(self):
        self.events, self.waiting = [], []
        self.now, self.last, self.last_at = 0, None, 0
        self.begun = {}

    def key(self, event):
        name, thread = event["event"], event["thread"]
        if name.startswith("region_"):
            return "region", thread
        if name.startswith("thread_"):
            return "thread", thread
        if name.startswith("child_"):
            return "child", event["child_id"]
        return None

    def claim(self, event):
        """The place that it says itself, or None."""
        if "t_abs" in event:
            return microseconds(event["t_abs"])
        begun = self.begun.get(self.key(event))
        if begun and "t_rel" in event and not self.begins(event):
            return begun[-1] + microseconds(event["t_rel"])
        return None

    @staticmethod
    def begins(event):
        return event["event"].endswith(("_enter", "_start"))

    def put(self, event, place):
        self.now = event["place"] = max(place, self.now)
        self.last, self.last_at = read_time(event), self.now
        key = self.key(event)
        if key and self.begins(event):
            self.begun.setdefault(key, []).append(self.now)
        elif self.begun.get(key):
            self.begun[key].pop()
        self.events.append(event)

    def difference(self, event):
        if self.last is None:
            return 0
        step = max(read_time(event) - self.last, 0)
        return max(self.last_at + step - self.now, 0)

    def add(self, event):
        if self.waiting:
            self.wait(event)
        elif (claim := self.claim(event)) is not None:
            self.put(event, claim)
        elif self.difference(event) > self.FAR:
            self.wait(event)
        else:
            self.put(event, self.now + self.difference(event))

    def wait(self, event):
        last = self.waiting[-1] if self.waiting else None
        step = (max(read_time(event) - read_time(last["event"]), 0) if last
                else self.difference(event))
        opening = self.find_opening(event)
        one = {"event": event, "step": step, "open": self.begins(event),
               "fixed": False}
        known = opening is None and self.claim(event) is not None
        if known or "t_abs" in event or event["event"] in ("atexit", "signal"):
            return self.settle(one)
        self.waiting.append(one)
        if opening is None:
            return None
        self.waiting[opening]["open"] = False
        inside = self.waiting[opening + 1 :]
        if "t_rel" in event:
            self.fit(inside, microseconds(event["t_rel"]), inside[-1])
            for each in inside:
                each["fixed"] = True
        return None

    def find_opening(self, event):
        if self.begins(event) or not self.key(event):
            return None
        found = [number for number, one in enumerate(self.waiting)
                 if one["open"] and self.key(one["event"]) == self.key(event)]
        return found[-1] if found else None

    @staticmethod
    def fit(waiting, length, last):
        """Cut what is too much from the largest; give `last` what is missing."""
        excess = sum(one["step"] for one in waiting) - length
        if excess < 0 and last:
            last["step"] -= excess
        while excess > 0:
            free = [one for one in waiting if not one["fixed"] and one["step"]]
            if not free:
                return
            largest = max(free, key=lambda one: one["step"])
            cut = min(excess, largest["step"])
            largest["step"] -= cut
            excess -= cut

    def settle(self, end=None):
        waiting, self.waiting = self.waiting, []
        if end:
            event = end["event"]
            regions = [number for number, one in enumerate(waiting)
                       if one["open"] and self.key(one["event"])
                       == ("region", event["thread"])]
            if "t_abs" in event and "t_rel" in event and regions:
                before = waiting[: regions[-1] + 1]
                begin = microseconds(event["t_abs"]) - microseconds(event["t_rel"])
                self.fit(before, begin - self.now, before[-1])
                for one in before:
                    one["fixed"] = True
            claim = self.claim(event)
            if claim is not None:
                self.fit([*waiting, end], claim - self.now, None)
        for one in waiting:
            claim = self.claim(one["event"])
            self.put(one["event"], self.now + one["step"]
                     if claim is None else claim)
        if end:
            self.add(end["event"])

    def end(self):
        self.settle()
        return self.events
