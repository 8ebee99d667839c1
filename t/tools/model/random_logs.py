"""Logs at random: processes with regions that match and do not, threads,
children of any thread, brief logs, and clocks that are coarse, set back or set
ahead. A process ends by atexit, exit or a signal, or its end is lost; it may go
on after its end, once or more; it may execute a program, which has a log or
not. It may have children that are processes with a log, by their pid or below a
shell, several at once, and one pid may be used again; and a pager. Each
process, region, child and exec has a name of its own, so that views can be
compared span by span."""

import random

START = 1_770_000_000_000_000  # microseconds since 1970
CLOCKS = ("fine", "coarse", "jumping", "brief", "none")


def format_time(us):
    seconds, us = divmod(us, 1_000_000)
    days, rest = divmod(seconds, 86400)
    days += 719468
    era, doe = divmod(days, 146097)
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    month, day = (5 * doy + 2) // 153, 0
    day = doy - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year = yoe + era * 400 + (month <= 2)
    return (f"{year:04}-{month:02}-{day:02}T{rest // 3600:02}:"
            f"{rest // 60 % 60:02}:{rest % 60:02}.{us:06}Z")


class Child:
    """A child that a process started."""

    def __init__(self, process, kind):
        self.process, self.kind = process, kind
        self.number = len(process.children)
        self.name = f"k{process.number}_{self.number}"
        ended = ({one.pid for one in process.children}
                 - {one.pid for one in process.children if one.is_open})
        self.pid = (min(ended) if ended and process.number % 2
                    else 2**30 + self.number)
        self.begin = self.until = process.now
        self.processes, self.is_open = 0, True


class Process:
    """Writes the events of one process; `now` is its true time."""

    def __init__(self, draw, number, clock=None):
        self.draw, self.number = draw, number
        self.length = None  # where its log states it
        self.pid = number
        self.above = ""  # the SID of the process in which it began
        self.inside = None  # the name of the child that it is, or in which it is
        self.clock = clock or draw.choice(CLOCKS)
        self.begin = START + draw.randrange(10**9)
        self.now, self.jump, self.lines = 0, 0, []
        self.open, self.threads = {"main": []}, {}
        self.children, self.names = [], 0
        self.below = []  # processes that began in it
        self.heir = False  # the next process takes its place

    @property
    def sid(self):
        return (f"{self.above}20260202T020000.{self.number % 1000000:06}Z"
                f"-H0a0b0c0d-P{self.pid:08x}")

    def succeed(self, other):
        """Take the place of one that executed this program."""
        self.above = f"{other.sid}/"
        self.pid = other.pid if self.draw.random() < 0.7 else self.pid
        self.begin = other.begin + other.now
        self.clock = other.clock = "fine"

    def begin_below(self, child):
        """Begin as this child of a process, or in it, as below a shell."""
        self.above = f"{child.process.sid}/"
        if self.draw.random() < 0.7 and not child.processes:
            self.pid = child.pid
        elif self.draw.random() < 0.3:
            self.pid = child.process.pid  # it is used again
        self.inside = child.name
        self.begin = child.process.begin + child.process.now
        child.processes += 1

    def pass_time(self):
        self.now += self.draw.choice((0, 1, 7, 300, 4000, 90000))
        if self.clock == "jumping" and self.draw.random() < 0.1:
            self.jump += self.draw.choice((-3_600_000_000, 40_000_000, -5000, 60000))

    def write(self, event, thread="main", t_abs=None, **rest):
        time = self.begin + self.now + self.jump
        if self.clock == "coarse":
            time -= time % 15625
        parts = [f'"event":"{event}"', f'"sid":"{self.sid}"', f'"thread":"{thread}"']
        if self.clock not in ("none", "brief") or (
                self.clock == "brief" and event in ("version", "atexit")):
            parts.append(f'"time":"{format_time(time)}"')
        if t_abs is not None:
            parts.append(f'"t_abs":{t_abs / 1e6:.6f}')
        for key, value in rest.items():
            if key.startswith("t_"):
                parts.append(f'"{key}":{value / 1e6:.6f}')
            elif isinstance(value, str) and not value.startswith("["):
                parts.append(f'"{key}":"{value}"')
            else:
                parts.append(f'"{key}":{value}')
        self.lines.append("{" + ",".join(parts) + "}")

    def enter(self, thread):
        self.names += 1
        name = f"n{self.names}"
        self.open[thread].append((name, self.now))
        self.write("region_enter", thread, nesting=len(self.open[thread]),
                   category=f"p{self.number}", label=name)

    def leave(self, thread):
        if not self.open[thread]:
            return
        name, begin = self.open[thread].pop()
        if self.draw.random() < 0.1:
            name = "other"
        self.write("region_leave", thread, t_rel=self.now - begin,
                   nesting=len(self.open[thread]) + 1,
                   category=f"p{self.number}", label=name)

    def start_thread(self):
        name = f"th{len(self.open):02}:x"
        self.open[name] = []
        self.threads[name] = self.now
        self.write("thread_start", name)

    def exit_thread(self, thread):
        if thread != "main":
            self.write("thread_exit", thread, t_rel=self.now - self.threads[thread])
            del self.open[thread]

    def start_child(self, thread):
        self.now += 1  # two that begin at once could not be told apart
        child = Child(self, self.draw.choice(("k", "k", "k", "pager")))
        self.children.append(child)
        self.write("child_start", thread, child_id=child.number,
                   child_class=child.kind, use_shell="false",
                   argv=f'["{child.name}"]')
        while (self.clock == "fine" and self.draw.random() < 0.5
               and child.kind == "k" and self.number >= 0):
            self.run_below(child)

    def run_below(self, child):
        """A process runs in the child, which does not end before it."""
        number = 100 * self.number + len(self.below) + 1
        inner = Process(self.draw, -number, "fine")
        inner.pid = number % 2**31 + 2**20
        inner.begin_below(child)
        self.below.append(inner.run())
        child.until = max(child.until, self.now + inner.now)

    def end_child(self, thread):
        child = self.draw.choice(self.children) if self.children else None
        if child and child.is_open:
            self.now = max(self.now, child.until)
            self.write("child_exit", thread, child_id=child.number, pid=child.pid,
                       code=0, t_rel=self.now - child.begin)
            child.is_open = False

    def tell_data(self, thread):
        begin = self.open[thread][-1][1] if self.open[thread] else self.now
        self.write("data", thread, t_abs=self.now, t_rel=self.now - begin,
                   nesting=len(self.open[thread]) + 1, category="d", key="k", value="1")

    def run(self):
        draw = self.draw
        # Nothing else says when a brief log began before it ends.
        if draw.random() < 0.95 or self.clock == "brief":
            self.write("version", evt="3", exe="2.50")
            self.write("start", t_abs=self.now, argv='["git","x"]')
        self.write("cmd_name", name=f"c{self.number}", hierarchy="c")
        for _ in range(draw.randrange(30)):
            self.pass_time()
            thread = draw.choice(list(self.open))
            draw.choice((self.enter, self.enter, self.leave, self.leave, self.tell_data,
                         self.start_child, self.end_child,
                         lambda _: self.start_thread() if draw.random() < 0.3 else None,
                         lambda t: self.exit_thread(t) if draw.random() < 0.3 else None,
                         ))(thread)
        self.pass_time()
        draw.choice((self.end, self.end, self.end, self.end, self.go_on,
                     self.execute, lambda: None))()
        return self

    def end(self):
        for event, code in self.draw.choice((
                (("exit", "code"), ("atexit", "code")),
                (("exit", "code"),), (("signal", "signo"),))):
            self.write(event, t_abs=self.now, **{code: 1})
        self.length = self.now

    def go_on(self):
        """As a daemon, whose log is that of the process that began it. What
        is open may be left after the first end."""
        self.end()
        for _ in range(self.draw.randrange(1, 9)):
            self.pass_time()
            self.draw.choice((self.enter, self.leave, self.tell_data))(
                self.draw.choice(list(self.open)))
        self.length = None
        if self.draw.random() < 0.8:
            self.pass_time()
            self.write("exit", t_abs=self.now, code=0)
            self.write("atexit", t_abs=self.now, code=0)
            self.length = self.now

    def execute(self):
        self.now += 1
        self.write("exec", exec_id=0, exe="x", argv=f'["e{self.number}"]')
        self.heir = self.draw.random() < 0.6
        if self.draw.random() < 0.2:
            self.heir = False
            self.pass_time()
            self.write("exec_result", exec_id=0, code=2)
            self.end()


def draw_log(seed, count):
    """Returns processes; their lines may be mixed in any order."""
    draw = random.Random(seed)
    found = []
    for number in range(1, count + 1):
        one = Process(draw, number)
        if found and found[-1].heir:
            one.succeed(found[-1])
        found.append(one.run())
    return [one for root in found for one in (root, *root.below)]
