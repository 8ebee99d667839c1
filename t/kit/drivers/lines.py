"""An event as a line of EVENT, of NORMAL and of PERF."""
import json, os, re, time

from destination import number

class Raw(str):  # a text that EVENT shows without quotes
    pass

def six(ns):  # seconds, rounded to six decimals
    return Raw("%d.%06d" % divmod((ns + 500) // 1000, 1000000))

def json_text(value):
    if isinstance(value, Raw):
        return value
    if isinstance(value, str):
        value = os.fsencode(value).decode("utf-8", "replace")
    elif isinstance(value, list):
        value = [os.fsencode(one).decode("utf-8", "replace") for one in value]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

def key_value(key, value):
    return f'"{key}":{json_text(value)}'

def in_range(text):
    whole = text.lstrip("-").isdigit()
    if abs(float(text)) == float("inf") or whole and not (
            -2**63 <= int(text) < 2**64):
        raise ValueError(text)

def keys_once(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError(pairs)

def is_json(text):
    """Whether it is one JSON value on one line that no reader rejects."""
    depth = deepest = 0
    for mark in re.sub(r'"(?:[^"\\]|\\.)*"', "", text):
        depth += (mark in "[{") - (mark in "]}")
        deepest = max(deepest, depth)
    try:
        json.loads(text, object_pairs_hook=keys_once, parse_float=in_range,
                   parse_int=in_range, parse_constant=int)
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return deepest <= 511 and "\n" not in text and "\r" not in text

LIMIT = number("GIT_TRACE2_EVENT_NESTING", 0)
LIMIT = LIMIT if LIMIT > 0 else 2

def event_line(event, brief):
    if event["own"].get("nesting", 0) > LIMIT:
        return None
    name = event["event"]
    line = {"event": name, "sid": event["sid"], "thread": event["thread"]}
    second, micro = divmod(event["wall"], 1000000)
    clock = time.strftime("%FT%T", time.gmtime(second))
    if not brief or name in ("version", "atexit"):
        line["time"] = f"{clock}.{micro:06}Z"
    if not brief and event["file"]:
        line.update(file=event["file"], line=event["line"])
    if event["repo"] is not None:
        line["repo"] = event["repo"]
    line.update(event["own"])
    return "{" + ",".join(key_value(*pair) for pair in line.items()) + "}"

def quote(word):
    if re.fullmatch(r"[\w+,./:=@^-]+", word, re.A):
        return word
    return "'" + re.sub("[!']", r"'\\\g<0>'", word) + "'"

def hour(event):
    second, micro = divmod(event["wall"], 1000000)
    return time.strftime("%T", time.localtime(second)) + f".{micro:06}"

# name: NORMAL, PERF; a ? begins a part that needs its first field
PAYLOADS = {row.split("|")[0]: row.split("|")[1:] for row in r"""
version|version {exe}|{exe}
start|start {argv}|{argv}
exit|exit elapsed:{t_abs} code:{code}|code:{code}
atexit|atexit elapsed:{t_abs} code:{code}|code:{code}
signal|signal elapsed:{t_abs} code:{signo}|signo:{signo}
error|error? {msg}?|{msg}
cmd_path|cmd_path {path}|{path}
cmd_ancestry|cmd_ancestry {names}|ancestry:[{ancestry}]
cmd_name|cmd_name {name}? ({hierarchy})?|{name}? ({hierarchy})?
cmd_mode|cmd_mode {name}|{name}
alias|alias {alias} -> {argv}|alias:{alias} argv:[{argv}]
child_start|child_start[{child_id}] ?cd {cd}; ?{argv}|[ch{child_id}] class:{child_class}? hook:{hook_name}?? cd:{cd}? argv:[{argv}]
child_exit|child_exit[{child_id}] pid:{pid} code:{code} elapsed:{t_rel}|[ch{child_id}] pid:{pid} code:{code}
child_ready|child_ready[{child_id}] pid:{pid} ready:{ready} elapsed:{t_rel}|[ch{child_id}] pid:{pid} ready:{ready}
exec|exec[{exec_id}] ?{exe} ?{argv}|id:{exec_id} argv:[?{exe}??{blank}?{argv}]
exec_result|exec_result[{exec_id}] code:{code}? err:{err}?|id:{exec_id} code:{code}? err:{err}?
thread_start||
thread_exit||
too_many_files||
def_param|def_param scope:{scope} {param}?={value}?|{param}?:{value}?
def_repo|worktree {worktree}|worktree:{worktree}
region_enter||?label:{label}?? {msg}?
region_leave||?label:{label}?? {msg}?
data||{key}:{value}
data_json||{key}:{value}
printf|{msg}|{msg}
th_timer|th_timer {category}/{name} intervals:{intervals} total:{t_total} min:{t_min} max:{t_max}|name:{name} intervals:{intervals} total:{t_total} min:{t_min} max:{t_max}
timer|timer {category}/{name} intervals:{intervals} total:{t_total} min:{t_min} max:{t_max}|name:{name} intervals:{intervals} total:{t_total} min:{t_min} max:{t_max}
th_counter|th_counter {category}/{name} value:{count}|name:{name} value:{count}
counter|counter {category}/{name} value:{count}|name:{name} value:{count}""".strip().split("\n")}

def payload(event, which):
    own = {**event["own"]}
    own["names"] = " <- ".join(own.get("ancestry", []))
    own["blank"] = " " if own.get("exe") and own.get("argv") else None
    own["err"] = os.strerror(own["code"]) if own.get("code", 0) > 0 else None
    for key in ("argv", "ancestry"):
        own[key] = " ".join(map(quote, own.get(key, [])))
    for key in ("cd", "worktree"):
        own[key] = quote(own[key]) if key in own else None
    parts = PAYLOADS[event["event"]][which].split("?")
    for at, part in enumerate(parts):
        names = re.findall(r"\{(\w+)\}", part)
        if at % 2 and any(own.get(name) is None for name in names):
            parts[at] = ""
        else:
            parts[at] = re.sub(r"\{(\w+)\}", lambda m: str(
                "" if own.get(m[1]) is None else own[m[1]]), part)
    return "".join(parts)

def normal_line(event, brief):
    if not PAYLOADS[event["event"]][0]:
        return None
    place = f'{event["file"]}:{event["line"]} ' if event["file"] else ""
    prefix = f"{hour(event)} {place}"
    prefix += " " * (50 - len(os.fsencode(prefix)))
    return ("" if brief else prefix) + payload(event, 0)

WITH_T_ABS = re.compile("start|a?t?exit|signal|child_.*|thread_.*|exec.*|"
                        "region_.*|data.*|printf")

def pad(text, width, cut=False):
    text = os.fsencode(text)
    return os.fsdecode((text[:width] if cut else text).ljust(width))

def perf_line(event, brief):
    own, name = event["own"], event["event"]
    if name == "too_many_files":
        return None
    place = f'{event["file"]}:{event["line"]}' if event["file"] else ""
    if len(os.fsencode(place)) > 28:
        place = "..." + os.fsdecode(os.fsencode(place)[-25:])
    category = own.get("category", "")
    if name == "def_param":
        category = "scope:" + own["scope"]
    repo = "" if event["repo"] is None else f'r{event["repo"]} '
    t_abs = event["t_abs"] if WITH_T_ABS.fullmatch(name) else ""
    columns = [
        "d" + str(event["sid"].count("/")), pad(event["thread"], 24),
        pad(name, 12), pad(repo, 3),
        t_abs.rjust(9), own.get("t_rel", "").rjust(9), pad(category, 12, True),
        "." * 2 * event["dots"] + payload(event, 1)]
    if not brief:
        columns.insert(0, f"{hour(event)} {pad(place, 28)}")
    return " | ".join(columns)
