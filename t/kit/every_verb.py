"""Runs of every verb, for scenarios that look at all lines there are."""

from kit.kit import Unimplemented
from kit.run import TARGETS

GIT = (
    ("001return", "3"),
    ("002exit", "4"),
    ("003error", "hello world", "it's"),
    ("004child", "test-tool", "trace2", "004child", "sh", "-c", "exit 3"),
    ("004child", "no-such-program-here"),
    ("005exec", "no-such-command-of-git"),
    ("006data", "a category", "key", "a value", "c", "k", "7"),
    ("007bug",),
    ("008bug",),
    ("009bug_BUG",),
    ("010bug_BUG",),
    ("100timer", "3", "1"),
    ("101timer", "2", "1", "2"),
    ("200counter", "1", "2"),
    ("201counter", "1", "2", "2"),
    ("300redact_start", "git", "clone", "https://u:p@example.com/x"),
    ("301redact_child_start", "git", "fetch", "https://u:p@example.com/x"),
    ("302redact_exec", "git", "git", "fetch", "https://u:p@example.com/x"),
    ("303redact_def_param", "url", "https://u:p@example.com/x"),
)

# Without the messages of printf, which may be anything.
BEYOND = (
    ("regions_deep", "3"),
    ("501region_printf",),
    ("502region_unbalanced",),
    ("504region_bare",),
    ("505region_mismatch",),
    ("510data_intmax",),
    ("511data_json", '{"a": [1, null]}', "true", "no JSON"),
    ("520cmd_mode", "branch", "a mode"),
    ("521alias", "co", "checkout", "-b"),
    ("522cmd_path", "/usr/bin/git"),
    ("523cmd_name", "second"),
    ("525cmd_error",),
    ("527def_repo", "/a", "/two words"),
    ("528exit_unreported", "7"),
    ("530child_ready", "ready", "true"),
    ("531hook", "pre-commit", "true"),
    ("532child_cd", "/", "true"),
    ("533child_class", "editor", "true"),
    ("534child_shell", "exit 3"),
    ("535child_open",),
    ("536child_odd", "program"),
    ("537exec_result", "2", "0"),
    ("540signal", "PIPE"),
    ("552thread_main", "name"),
    ("553thread_again",),
    ("554thread_names", "short", "one-that-is-longer-than-24-bytes"),
    ("570def_param", "param"),
    ("584shares",),
)

BRIEF = {
    "GIT_TRACE2_BRIEF": "1",
    "GIT_TRACE2_PERF_BRIEF": "1",
    "GIT_TRACE2_EVENT_BRIEF": "1",
}


def runs(kit, verbs, targets=TARGETS, **env):
    """Each verb that the driver has, once. 005exec finds no git, whichever
    is installed."""
    script = 'PATH=${PATH%%:*} exec "$@"'
    if not any(kit.has(words[0]) for words in verbs):
        raise Unimplemented("none of these verbs is there")
    for words in verbs:
        command = ("test-tool", "trace2", *words)
        if words[0] == "005exec":
            command = ("sh", "-c", script, "sh", *command)
        if kit.has(words[0]):
            yield kit.command(*command, targets=targets, env=env)
