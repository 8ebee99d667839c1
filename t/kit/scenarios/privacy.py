"""What may not be in a log unless somebody asked for it.

That no repository has a say stands in settings_sources.py.
"""

from kit.faults import fault
from kit.kit import scenario
from kit.run import TARGETS

SECRET = b"hush"
CONFIG = b"[k]\n\tasked = config-value\n\tother = hush-config\n" \
    b"[other]\n\tasked = hush-section\n"
ASKED = {"GIT_TRACE2_CONFIG_PARAMS": "k.asked", "GIT_TRACE2_ENV_VARS": "ASKED"}
WORDS = {"ASKED": "env-value", "ASKED_TOO": "hush-env", "OTHER": "hush-other"}


TITLE = "only variables and values that were asked for are recorded"


@scenario(TITLE, verbs=("004child",),
          ids=("privacy.env-asked", "privacy.config-asked"))
def asked(kit):
    for lists in ({}, ASKED):
        run = kit.run("004child", "test-tool", "trace2", "001return", "0",
                      env={**WORDS, **lists}, files={".gitconfig": CONFIG})
        for target in TARGETS:
            text = run.log(target)
            for name, value, secrets in (
                ("env", b"env-value", (b"hush-env", b"hush-other")),
                ("config", b"config-value", (b"hush-config", b"hush-section")),
            ):
                name = f"privacy.{name}-asked"
                if name == "privacy.env-asked" or kit.configured():
                    kit.equal(name, value in text, bool(lists))
                for secret in secrets:
                    kit.lacks(name, text, secret)


fault("privacy.env-asked", TITLE,
      perf=(rb"ASKED:env-value", rb"ASKED:env-value ASKED_TOO:hush-env"))
fault("privacy.config-asked", TITLE,
      event=(rb'"config-value"', rb'"config-value","hush-config"'))


TITLE = "redaction is on from the start"


@scenario(TITLE, verbs=("300redact_start",), ids=("privacy.redact-default",))
def redact_default(kit):
    run = kit.run("300redact_start", "https://u:hush@host/")
    for target in TARGETS:
        last = [x for x in run.lines(target) if b"start" in x][-1]
        kit.contains("privacy.redact-default", last, b"u:<REDACTED>@host/")
        kit.lacks("privacy.redact-default", last, SECRET)


fault("privacy.redact-default", TITLE, normal=(rb"<REDACTED>", rb"hush"))
