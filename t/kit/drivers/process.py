"""What an emitter knows of its process, and the secrets in its texts."""
import hashlib, os, re, socket, time
from urllib.parse import unquote

from destination import boolean
from lines import six

START = time.monotonic_ns()

LONGEST = 65536  # bytes of what comes from a parent

def from_parent(name):
    value = os.environ.get(name, "")
    if len(os.fsencode(value)) <= LONGEST:
        return value
    last = value.rpartition("/")[2] if name.endswith("_SID") else ""
    return last if len(os.fsencode(last)) <= LONGEST else ""

PROCESS = {"begin": START, "parent": from_parent("GIT_TRACE2_PARENT_SID"),
           "name": from_parent("GIT_TRACE2_PARENT_NAME"), "repos": [],
           "threads": 0, "execs": 0, "children": 0, "over": False, "code": None,
           "forked": False, "listed": False, "timers": {}, "counters": {}}
REDACT = boolean("GIT_TRACE2_REDACT", True)
SHOWN = os.environ.get("GIT_TRACE2_CATEGORIES", "")
BLANK = r"\x00-\x20\x7f"
SECRET = re.compile(
    rf"(://(?:[^/:{BLANK}]*:|[^/:]*:(?!//)))(?:[^@/]*|[^@{BLANK}]*)"
    rf"(?:@[^@{BLANK}]*(?=@))*(?=@)")
URL = re.compile(rf'://[^{BLANK}"]*')
NAME = re.compile(
    r"(?:signature|token|secret|password|passwd|passphrase|credential|"
    r"api[-_]?key|(?<![a-z0-9])sig)$", re.I)

def new_sid():
    second, ns = divmod(time.time_ns(), 10**9)
    clock = time.strftime("%Y%m%dT%H%M%S", time.gmtime(second))
    host = hashlib.sha1(os.fsencode(socket.gethostname())).hexdigest()[:8]
    own = f"{clock}.{ns // 1000:06}Z-H{host}-P{os.getpid() & 0xffffffff:08x}"
    parent = PROCESS["parent"]
    PROCESS["sid"] = f"{parent}/{own}" if parent else own

def hide_query(url):
    shown, rest = "", url[0]
    while "=" in rest:
        name, _, rest = rest.partition("=")
        value = re.match(r"[^&#]*", rest)[0]
        if value and NAME.search(unquote(name, "latin-1")):
            rest = "<REDACTED>" + rest[len(value):]
        shown += name + "="
    return shown + rest

def clean(value):  # the secrets of URLs
    if isinstance(value, list):
        return [clean(one) for one in value]
    if not REDACT or "://" not in value:
        return value
    value = SECRET.sub(r"\1<REDACTED>", value)
    return URL.sub(hide_query, value)

def now():
    return time.monotonic_ns() // 1000 * 1000

def since(begin, at=None):
    return six((now() if at is None else at) - begin // 1000 * 1000)

def ancestors():
    names, pid = [], os.getppid()
    while pid > 0:
        with open(f"/proc/{pid}/stat", "rb") as file:
            head, _, rest = file.read().rpartition(b")")
        names.append(os.fsdecode(head.partition(b"(")[2]))
        pid = int(rest.split()[1])
    return names

new_sid()
