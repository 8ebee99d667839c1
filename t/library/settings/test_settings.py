"""Every setting, from the environment and from both config scopes."""

from pathlib import Path

import pytest

import spec as reader

DEFAULTS = {
    "normalTarget": None,
    "normalBrief": "0",
    "perfTarget": None,
    "perfBrief": "0",
    "eventTarget": None,
    "eventBrief": "0",
    "eventNesting": "2",
    "configParams": None,
    "envVars": None,
    "destinationDebug": "0",
    "maxFiles": "0",
    "fxtTarget": None,
    "chromeTarget": None,
    "fxtMax": "1073741824",
    "categories": None,
    "signals": "-1",
    "redact": "1",
    "parentSid": None,
    "parentName": None,
}

# Setting: its variable, and two values that differ from the default and
# from each other (a boolean has only one).
CONFIGURED = {
    "normalTarget": ("GIT_TRACE2", "0", "/nonexistent/n"),
    "perfTarget": ("GIT_TRACE2_PERF", "0", "/nonexistent/p"),
    "eventTarget": ("GIT_TRACE2_EVENT", "0", "/nonexistent/e"),
    "normalBrief": ("GIT_TRACE2_BRIEF", "1", "0"),
    "perfBrief": ("GIT_TRACE2_PERF_BRIEF", "1", "0"),
    "eventBrief": ("GIT_TRACE2_EVENT_BRIEF", "1", "0"),
    "eventNesting": ("GIT_TRACE2_EVENT_NESTING", "5", "7"),
    "configParams": ("GIT_TRACE2_CONFIG_PARAMS", "core.*", "a.b, c.?"),
    "envVars": ("GIT_TRACE2_ENV_VARS", "A,B", " C , D "),
    "destinationDebug": ("GIT_TRACE2_DST_DEBUG", "1", "0"),
    "maxFiles": ("GIT_TRACE2_MAX_FILES", "4", "9"),
    "fxtTarget": ("GIT_TRACE2_FXT", "0", "/nonexistent/f"),
    "chromeTarget": ("GIT_TRACE2_CHROME", "0", "/nonexistent/c"),
    "fxtMax": ("GIT_TRACE2_FXT_MAX", "2097152", "4096"),
    "categories": ("GIT_TRACE2_CATEGORIES", "a,b", "c"),
    "signals": ("GIT_TRACE2_SIGNALS", "0", "1"),
}
VARIABLES = {
    **{name: row[0] for name, row in CONFIGURED.items()},
    "redact": "GIT_TRACE2_REDACT",
    "parentSid": "GIT_TRACE2_PARENT_SID",
    "parentName": "GIT_TRACE2_PARENT_NAME",
}


def take_booleans():
    """Booleans of SPEC.md's table that have no row above."""
    text = (Path(__file__).parents[3] / "SPEC.md").read_text()
    for row in reader.Spec(text).table("environment variable", "config key"):
        variable, key, kind, default = (cell.strip("`") for cell in row)
        if kind == "boolean" and variable not in VARIABLES.values():
            name = key.removeprefix("trace2.")
            VARIABLES[name] = variable
            values = ("0", "1") if default == "true" else ("1", "0")
            CONFIGURED[name] = (variable, *values)
            DEFAULTS[name] = values[1]


take_booleans()


@pytest.fixture
def settings(execute, test_tool, scratch):
    """settings(names={}, user="", system=""): what differs from DEFAULTS.

    `user` and `system` are the texts of those config files, or lines of
    their [trace2] sections if they are dictionaries.
    """

    def file(path, content):
        if isinstance(content, dict):
            lines = [f"{key} = {value}\n" for key, value in content.items()]
            content = "[trace2]\n" + "".join(lines)
        path.write_text(content)

    def call(names={}, user="", system=""):
        file(scratch / ".gitconfig", user)
        file(scratch / "system", system)
        names = {"GIT_CONFIG_SYSTEM": scratch / "system", **names}
        done = execute([test_tool, "settings"], env=names)
        assert done.returncode == 0
        lines = [line.partition("=") for line in done.stdout.decode().splitlines()]
        targets = [value for name, _, value in lines if name == "target"]
        assert targets[:3] == ["GIT_TRACE2", "GIT_TRACE2_PERF",
                               "GIT_TRACE2_EVENT"]
        values = {name: value if sign else None for name, sign, value in lines
                  if name != "target"}
        assert set(values) == set(VARIABLES.values())
        shown = {name: values[VARIABLES[name]] for name in DEFAULTS}
        call.warnings = done.stderr.decode().splitlines()
        return {k: v for k, v in shown.items() if v != DEFAULTS[k]}

    return call


def changed(name, value):
    return {} if DEFAULTS[name] == value else {name: value}


def test_defaults_hold_without_environment_and_config(settings):
    assert settings() == {}


def test_every_setting_is_read_from_the_environment(settings):
    values = {name: row[1] for name, row in CONFIGURED.items()}
    values |= {"redact": "0", "parentSid": "a/b", "parentName": "c/d"}
    names = {VARIABLES[name]: value for name, value in values.items()}
    assert settings(names) == values


@pytest.mark.parametrize("scope", ["user", "system"])
def test_every_setting_is_read_from_config(scope, settings):
    values = {name: row[1] for name, row in CONFIGURED.items()}
    file = {name: f'"{value}"' for name, value in values.items()}
    assert settings(**{scope: file}) == values


def test_keys_are_read_in_any_case(settings):
    text = "[TRACE2]\nEVENTNESTING = 5\nmaxfiles = 3\n"
    assert settings(user=text) == {"eventNesting": "5", "maxFiles": "3"}


@pytest.mark.parametrize("name", CONFIGURED)
def test_environment_comes_before_user_and_user_before_system(name, settings):
    variable, one, other = CONFIGURED[name]
    one_file, other_file = {name: f'"{one}"'}, {name: f'"{other}"'}
    assert settings(user=one_file, system=other_file) == changed(name, one)
    assert settings(user=other_file, system=one_file) == changed(name, other)
    for names, want in (({variable: one}, one), ({variable: other}, other)):
        got = settings(names, user=other_file, system=one_file)
        assert got == changed(name, want)
        got = settings(names, user=one_file, system=other_file)
        assert got == changed(name, want)


@pytest.mark.parametrize("name", CONFIGURED)
def test_empty_variable_counts_as_unset(name, settings):
    variable, value, _ = CONFIGURED[name]
    names = {variable: ""}
    assert settings(names) == {}
    assert settings(names, user={name: f'"{value}"'}) == changed(name, value)


@pytest.mark.parametrize("name", ["redact", "parentSid", "parentName"])
def test_settings_without_a_key_are_not_read_from_config(name, settings):
    assert settings(user={name: "0"}, system={name: "0"}) == {}
    assert settings.warnings == []


def test_last_assignment_wins_even_an_empty_one(settings):
    system = {"eventTarget": "/x", "envVars": "A"}
    assert settings(user={"eventTarget": ""}, system=system) == {"envVars": "A"}
    text = "[trace2]\nmaxFiles = 4\nmaxFiles = 5\nnormalBrief = 1\nnormalBrief =\n"
    assert settings(user=text) == {"maxFiles": "5"}
    text = "[trace2]\neventNesting = 4\neventNesting = x\n"
    assert settings(user=text) == {}


def test_variable_replaces_config_even_with_nonsense(settings):
    config = {"normalBrief": "true", "eventNesting": "4", "maxFiles": "3"}
    names = {
        "GIT_TRACE2_BRIEF": "bogus",
        "GIT_TRACE2_EVENT_NESTING": "abc",
        "GIT_TRACE2_MAX_FILES": "abc",
    }
    assert settings(names, user=config) == {}
    assert settings({}, user=config) == {**config, "normalBrief": "1"}


def test_subsections_hold_no_settings(settings):
    text = '[trace2 "x"]\neventTarget = 0\nmaxFiles\n[trace2.x]\nmaxFiles = 1\n'
    assert settings(user=text) == {}
    assert settings.warnings == []


def test_local_and_command_scopes_hold_no_settings(execute, settings, scratch):
    execute(["git", "init", "-q"])
    execute(["git", "config", "trace2.maxFiles", "7"])
    names = {
        "GIT_CEILING_DIRECTORIES": None,
        "GIT_CONFIG_PARAMETERS": "'trace2.maxFiles=8'",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "trace2.maxFiles",
        "GIT_CONFIG_VALUE_0": "9",
    }
    assert settings(names) == {}


def test_included_files_hold_settings(settings, scratch):
    (scratch / "inner").write_text("[trace2]\nmaxFiles = 6\n")
    assert settings(user="[include]\npath = inner\n") == {"maxFiles": "6"}


TRUE = "true True YES yes on oN 1 -1 2 0x1f 010 1k 2M 1g +3 2147483647"
FALSE = "false False NO no off oFF 0 00 0x0 0k -0"
NEITHER = (
    "bogus t y 1x k 1kk 1k1 0x 08 1.0 1e3x 2147483648 -2147483648 2g "
    "99999999999999999999 9223372036854775807 tru truee 1_ --1"
)


@pytest.mark.parametrize("name", ["normalBrief", "perfBrief", "eventBrief"])
def test_brief_takes_booleans(name, settings):
    for text in [*TRUE.split(), " 1", "\t0x1"]:
        assert settings({VARIABLES[name]: text}) == {name: "1"}, text
    for text in [*FALSE.split(), *NEITHER.split(), "1 ", " ", "true ", " true"]:
        assert settings({VARIABLES[name]: text}) == {}, text


def test_redact_is_off_only_by_a_false_boolean(settings):
    for text in [*FALSE.split(), ""]:
        assert settings({"GIT_TRACE2_REDACT": text}) == {"redact": "0"}, text
    for text in [*TRUE.split(), *NEITHER.split()]:
        assert settings({"GIT_TRACE2_REDACT": text}) == {}, text


def test_destination_debug_takes_booleans_and_integers(settings):
    for text in [*TRUE.split(), "3abc", " 4 ", "1_"]:
        got = settings({"GIT_TRACE2_DST_DEBUG": text})
        assert got == {"destinationDebug": "1"}, text
    for text in [*FALSE.split(), "bogus", "0x", "-1x", "0 1"]:
        assert settings({"GIT_TRACE2_DST_DEBUG": text}) == {}, text
    assert settings(user={"destinationDebug": "true"}) == {"destinationDebug": "1"}


NUMBERS = {
    "3abc": "3",
    " 4": "4",
    "\t+6": "6",
    "1e3": "1",
    "007": "7",
    "3.9": "3",
    "2147483647": "2147483647",
    "2147483648": "2147483647",
    "99999999999999999999": "2147483647",
}


@pytest.mark.parametrize("name", ["eventNesting", "maxFiles"])
def test_numbers_are_read_from_the_front(name, settings):
    for text, value in NUMBERS.items():
        assert settings({VARIABLES[name]: text}) == {name: value}, text


@pytest.mark.parametrize("name", ["eventNesting", "maxFiles"])
def test_what_is_no_number_leaves_the_default(name, settings):
    for text in ["0", "-1", "abc", "0x10", "-99999999999999999999", " ", "k"]:
        assert settings({VARIABLES[name]: text}) == {}, text
        assert settings.warnings == []


@pytest.mark.parametrize("text", ["0", "-3", "abc", "0x10", ""])
def test_bad_nesting_is_a_warning_under_destination_debug(text, settings):
    warning = (
        f"warning: trace2: value '{text}' for 'GIT_TRACE2_EVENT_NESTING' "
        "is not above 0, using 2"
    )
    config = {"eventNesting": text, "destinationDebug": "true"}
    assert settings(user=config) == {"destinationDebug": "1"}
    assert set(settings.warnings) == {warning}
    assert settings({"GIT_TRACE2_DST_DEBUG": "0"}, user=config) == {}
    assert settings.warnings == []


@pytest.mark.parametrize("name", CONFIGURED)
def test_key_without_a_value_is_a_warning(name, settings, scratch):
    variable, value, _ = CONFIGURED[name]
    text = f'[trace2]\n{name} = "{value}"\n{name}\n'
    assert settings(user=text) == changed(name, value)
    assert set(settings.warnings) == {
        f"warning: trace2: missing value for 'trace2.{name.lower()}' "
        f"in file {scratch}/.gitconfig at line 3"
    }


def test_unknown_key_without_a_value_is_silent(settings):
    assert settings(user="[trace2]\nother\n[other]\neventTarget\n") == {}
    assert settings.warnings == []


def test_broken_file_keeps_what_stands_before_the_error(settings, scratch):
    text = "[trace2]\nmaxFiles = 4\n[trace2\nmaxFiles = 5\n"
    got = settings(user=text, system={"eventNesting": "3"})
    assert got == {"maxFiles": "4", "eventNesting": "3"}
    assert set(settings.warnings) == {
        f"warning: trace2: bad config line 3 in file {scratch}/.gitconfig"
    }


def test_files_are_not_opened_if_the_environment_says_all(settings):
    names = {row[0]: row[1] for row in CONFIGURED.values()}
    settings(names, user="[broken\n")
    assert settings.warnings == []
    settings({**names, "GIT_TRACE2_ENV_VARS": ""}, user="[broken\n")
    assert settings.warnings != []


def test_long_values_are_kept_whole(settings):
    value = "/" + "x" * 50_000
    assert settings({"GIT_TRACE2": "0"}, user={"envVars": value}) == {
        "normalTarget": "0",
        "envVars": value,
    }


@pytest.mark.parametrize("text, size", [
    ("1m", "1048576"), ("64k", "65536"), ("0x10", "16"), ("3g", None),
    ("0", None), ("-1", None), ("many", None), ("1 m", None)])
def test_sizes_have_units(settings, text, size):
    wanted = {"fxtMax": size} if size else {}
    assert settings({"GIT_TRACE2_FXT_MAX": text}) == wanted
