"""Where lines go: files, directories, descriptors and sockets."""
import fcntl, os, re, select, signal, socket, stat, time

WORDS = {"true": 1, "yes": 1, "on": 1, "false": 0, "no": 0, "off": 0, "": 0}
LEFT = [0.1]  # seconds for which destinations may still delay the program
DROPPED = [0]
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NONBLOCK

def boolean(name, default=False):
    text = os.environ.get(name)
    if text is None or text.lower() in WORDS:
        return default if text is None else bool(WORDS[text.lower()])
    found = re.fullmatch(r"\s*([-+]?)(0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)"
                         "([kmgKMG]?)", text, re.A)
    if not found:
        return default
    sign, digits, unit = found[1], found[2].lower(), found[3].lower()
    base = 16 if "x" in digits else 8 if digits[0] == "0" else 10
    number = int(digits, base) << " kmg".index(unit or " ") * 10
    if number >= 2**31 + (sign == "-"):
        return default
    return number != 0

def number(name, default):
    if name not in os.environ:
        return default
    found = re.match(r"\s*[-+]?\d+", os.environ[name], re.A)
    return int(found[0]) if found else 0

DEBUG = boolean("GIT_TRACE2_DST_DEBUG")

def warn(text):
    os.write(2, os.fsencode(f"warning: {text}\n"))

class Failed(Exception):  # the warning that says why
    pass

def high(fd):
    """The descriptor with a number that no program uses for its own."""
    made = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)
    if fd > 2:
        os.close(fd)
    return made

# Opening

def open_value(value, variable, own_name):
    """(descriptor, whether the file stands for a full directory)"""
    if value.lower() in ("", "0", "false"):
        return None, False
    if re.fullmatch("[1-9]", value) or value.lower() == "true":
        return open_number(int(value) if value > "1" and value < ":" else 2,
                           variable), False
    if value.startswith("af_unix:"):
        return open_socket(value, variable), False
    if not value.startswith("/"):
        warn(f"trace2: unknown value for '{variable}': '{value}'")
        return None, False
    return open_path(value, variable, own_name)

def open_number(digit, variable):
    try:
        return fcntl.fcntl(digit, fcntl.F_DUPFD_CLOEXEC, 10)
    except OSError as problem:
        raise Failed(f"unable to write trace to '{variable}': "
                     f"{os.strerror(problem.errno)}")

def open_path(value, variable, own_name):
    full = False
    try:
        if not os.path.isdir(value):
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK
            return high(os.open(value, flags, 0o666)), False
        full = is_full(value, variable)
        where = value if value[-1] == "/" else value + "/"
        value = where + ("git-trace2-discard" if full else own_name)
        return high(new_file(value, 1 if full else 10)), full
    except OSError as problem:
        if full:
            raise Failed(too_many(variable, os.path.dirname(value)))
        raise Failed(f"trace2: could not open '{value}' for '{variable}' "
                     f"tracing: {os.strerror(problem.errno)}")

def too_many(variable, directory):
    return (f"trace2: not opening {variable} trace file due to too many "
            f"files in target directory {directory}")

def is_full(directory, variable):
    limit = number("GIT_TRACE2_MAX_FILES", 0)
    if limit <= 0:
        return False
    entries = os.listdir(directory)
    if "git-trace2-discard" in entries:
        raise Failed(too_many(variable, directory))
    return len(entries) + 2 >= limit

def new_file(path, attempts):
    for at in range(attempts):
        try:
            return os.open(path + (f".{at}" if at else ""), NEW, 0o666)
        except OSError as problem:
            last = problem
    raise last

def open_socket(value, variable):
    kind, path = re.fullmatch("af_unix:(stream:|dgram:)?(.*)", value).groups()
    if not path:
        raise Failed(f"trace2: invalid AF_UNIX value '{value}' for "
                     f"'{variable}' tracing")
    if path[0] != "/" or len(os.fsencode(path)) > 107:
        raise Failed(f"trace2: invalid AF_UNIX path '{path}' for "
                     f"'{variable}' tracing")
    kinds = {"stream:": [socket.SOCK_STREAM], "dgram:": [socket.SOCK_DGRAM]}
    for each in kinds.get(kind, [socket.SOCK_STREAM, socket.SOCK_DGRAM]):
        try:
            made = socket.socket(socket.AF_UNIX, each | socket.SOCK_NONBLOCK)
            made.connect(path)
            return high(made.detach())
        except OSError as problem:
            last = problem
            made.close()
        if last.errno != 91:  # EPROTOTYPE, a socket of the other type
            break
    raise Failed(f"trace2: could not connect to socket '{path}' for "
                 f"'{variable}' tracing: {os.strerror(last.errno)}")

# Writing

class Target:
    def __init__(self, variable, line):
        self.line, self.variable = line, variable
        self.brief = boolean(variable + "_BRIEF")
        self.fd = self.full = None
        self.failed = False

    def open(self, own_name):
        self.close()
        value = os.environ.get(self.variable, "")
        try:
            self.fd, self.full = open_value(value, self.variable, own_name)
        except Failed as failed:
            self.tell(failed)

    def is_own(self):
        """Whether a forked child needs a file or a connection of its own."""
        value = os.environ.get(self.variable, "")
        return value.startswith("af_unix:") or os.path.isdir(value)

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
        self.fd = None

    def tell(self, message):
        if DEBUG:
            warn(message)

    def write(self, event):
        on = self.fd is not None or self.failed
        line = self.line(event, self.brief) if on else None
        if line is None:
            return
        if self.failed:
            DROPPED[0] += 1
            return
        text = os.fsencode(line if line[-1:] == "\n" else line + "\n")
        # A reader that has gone ends this target, and not the program.
        signals = {signal.SIGPIPE}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        try:
            self.put(text)
        except OSError as problem:
            DROPPED[0] += 1
            if problem.errno != 90:  # EMSGSIZE, too long for a datagram
                self.close()
                self.failed = True
                self.tell(f"unable to write trace to '{self.variable}': "
                          f"{os.strerror(problem.errno)}")
        finally:
            if signal.SIGPIPE not in before:
                signal.sigtimedwait(signals, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def put(self, text):
        while text:
            self.wait()
            try:
                text = text[os.write(self.fd, text):]
            except BlockingIOError:
                if LEFT[0] <= 0:
                    raise
                LEFT[0] -= 0.001
                time.sleep(0.001)

    def wait(self):
        """A descriptor that the program shares has no O_NONBLOCK."""
        if stat.S_ISREG(os.fstat(self.fd).st_mode):
            return
        begin = time.monotonic()
        ready = select.select([], [self.fd], [], max(LEFT[0], 0))[1]
        LEFT[0] -= time.monotonic() - begin
        if not ready:
            raise OSError(11, "nobody reads")
