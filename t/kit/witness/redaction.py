"""Passwords in URLs."""

from kit.kit import scenario
from kit.witness import shell

SECRET = "https://user:secret@example.com/x"
HIDDEN = "https://user:<REDACTED>@example.com/x"


def aliased(kit, *words, **env):
    """`git a WORD...`, whose start and whose children have the words."""
    return kit.command("git", "-c", "alias.a=!true", "a", *words, env=env)


@scenario("git hides the password of a URL that is an argument",
          ids=("redact.git", "redact.where", "redact.all-targets",
               "privacy.redact-default"))
def hidden(kit):
    run = aliased(kit, SECRET, "http://:@h/", "https://u:@h")
    kit.equal("redact.git", run.event("start")["argv"][-3:],
              [HIDDEN, "http://:<REDACTED>@h/", "https://u:<REDACTED>@h"])
    kit.equal("redact.where", run.event("child_start")["argv"][1:2], [HIDDEN])
    for target in ("normal", "perf", "event"):
        for name in ("redact.all-targets", "privacy.redact-default"):
            kit.contains(name, run.log(target), HIDDEN.encode())


@scenario("git hides the password of a URL that is a parameter",
          ids=("redact.where",))
def hidden_parameter(kit):
    run = shell(kit, "git -c test.key=%s version" % SECRET, env={
        "GIT_TRACE2_CONFIG_PARAMS": "test.*"})
    kit.equal("redact.where", [e["value"] for e in run.events("def_param")],
              [HIDDEN])


@scenario("git hides no password when it is told not to",
          ids=("redact.off", "settings.redact"))
def told_not_to(kit):
    for value in ("0", "false", ""):
        run = aliased(kit, SECRET, GIT_TRACE2_REDACT=value)
        for name in ("redact.off", "settings.redact"):
            kit.equal(name, run.event("start")["argv"][-1:], [SECRET])


KEPT = ("https://example.com:80/x", "user:secret@example.com", "a@b",
        "https://token@example.com/x")


@scenario("git leaves all else in its arguments as it is",
          ids=("redact.keeps", "redact.git"))
def kept(kit):
    run = aliased(kit, *KEPT)
    for name in ("redact.keeps", "redact.git"):
        kit.equal(name, run.event("start")["argv"][-4:], list(KEPT))


@scenario("git hides a password wherever its URL stands",
          ids=("redact.anywhere", "redact.scheme", "redact.password-at",
               "redact.password-slash", "redact.everywhere"))
def beyond(kit):
    run = aliased(kit, "--url=" + SECRET, "FTP://u:p@h", "https://u:p@q@h",
                  "https://u:p/q@h")
    url, scheme, at, slash = run.event("start")["argv"][-4:]
    kit.equal("redact.anywhere", url, "--url=" + HIDDEN)
    kit.equal("redact.scheme", scheme, "FTP://u:<REDACTED>@h")
    kit.equal("redact.password-at", at, "https://u:<REDACTED>@h")
    kit.equal("redact.password-slash", slash, "https://u:<REDACTED>@h")
    kit.equal("redact.everywhere", run.event("alias")["argv"][1:],
              [url, scheme, at, slash])
    kit.contains("redact.everywhere", run.log("event"), b"<REDACTED>")
