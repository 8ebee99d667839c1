"""Six changes that people make, and the files that each may touch by hand.

A change names its recipe in HACKING.md, which lists the same files. What is
written here stands for what a person writes; what `make rules` and its like
write comes after that and does not count.
"""

import dataclasses

from cost import view_text

CHANGES = []


@dataclasses.dataclass(frozen=True)
class Change:
    name: str
    recipe: str  # its heading in HACKING.md
    limit: int  # files
    apply: object
    units: tuple  # unit programs that look at it
    tests: tuple  # and files of tests


def change(recipe, limit, units=(), tests=()):
    def add(apply):
        CHANGES.append(Change(apply.__name__.replace("_", " "), recipe, limit,
                              apply, units, tests))  # fmt: skip
        return apply

    return add


SID = "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
AT = '"file":"build.c","line":7'


def line_of(event, at, rest=""):
    """A line of EVENT, `at` microseconds after the first."""
    return (f'{{"event":"{event}","sid":"{SID}","thread":"main",'
            f'"time":"2026-01-14T09:30:42.{112858 + at}Z",{AT}{rest}}}\n')


# An event with two fields, in all three text targets

SECTION = f"""\
### checkpoint

Since evt 4, no git. Shown by NORMAL, PERF and EVENT.

- **`event.checkpoint`** MUST [full] {{decision}}: A host that reaches a checkpoint gives one `checkpoint`.
- **`event.checkpoint.stage`** MUST [full] {{decision}}: `stage` (string, required) is the name of what comes next.
- **`event.checkpoint.step`** MUST [full] {{decision}}: `step` (integer, required) is its number.
- **`normal.payload.checkpoint`** MUST [full] {{decision}}: NORMAL: `checkpoint <stage> step:<step>`.
- **`perf.payload.checkpoint`** MUST [full] {{decision}}: PERF: `stage:<stage> step:<step>`.

```event
{line_of("checkpoint", 9, ',"stage":"link","step":3')}```

```normal
09:30:42.112860 build.c:7                         checkpoint link step:3
```

```perf
09:30:42.112861 build.c:7                    | d0 | main                     | checkpoint   |     |           |           |              | stage:link step:3
```

"""

SCHEMA = f"""\
{{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://trace2.example/schema/1/events/checkpoint.schema.json",
  "title": "checkpoint",
  "description": "The program has come so far.",
  "$comment": "event.checkpoint",
  "type": "object",
  "properties": {{
    "stage": {{
      "type": "string",
      "description": "What comes next.",
      "$comment": "event.checkpoint.stage"
    }},
    "step": {{
      "type": "integer",
      "description": "Its number.",
      "$comment": "event.checkpoint.step"
    }}
  }},
  "required": ["stage", "step"],
  "examples": [
    {line_of("checkpoint", 9, ',"stage":"link","step":3').strip()},
    {{"event": "checkpoint", "sid": "{SID}", "thread": "main",
      "stage": "link", "step": 3}}
  ]
}}
"""

CALL = """
void trace2_checkpoint_fl(const char *file, int line, const char *stage,
			  int step)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_CHECKPOINT, file, line);

	if (!self)
		return;
	event.stage = stage ? stage : "";
	event.step = step;
	tr2_finish(self, &event);
}
"""

PAYLOADS = """
void tr2_normal_checkpoint(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "checkpoint ");
	tr2_buf_str(out, event->stage);
	tr2_payload_number(out, " step:", event->step);
}

void tr2_perf_checkpoint(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "stage:");
	tr2_buf_str(out, event->stage);
	tr2_payload_number(out, " step:", event->step);
}
"""

DECLARATION = """\
/*
 * The program has come so far: what comes next, and its number.
 * Writes: checkpoint. SPEC\x3a event.checkpoint
 */
TRACE2_API void trace2_checkpoint_fl(const char *file, int line,
				     const char *stage, int step);

"""

MACRO = """\
#define trace2_checkpoint(stage, step) \\
	TRACE2_IF_ON_(                 \\
		trace2_checkpoint_fl(__FILE__, __LINE__, (stage), (step)))
"""

HANDLER = """\
CALL(checkpoint, TEXT("stage"), (int)get_number(call, "step", 0))

"""

SHOWS = """
shows("checkpoint", "it shows what comes next", ("checkpoint", "link", "3"),
      fields={"stage": "link", "step": 3},
      normal=["checkpoint link step:3"], perf=["stage:link step:3"])
"""

EVENT_IDS = ("event.checkpoint event.checkpoint.stage event.checkpoint.step "
             "normal.payload.checkpoint perf.payload.checkpoint")  # fmt: skip


@change(
    "Add an event", 10,
    units=("event/lines",),
    tests=("library/targets/test_golden", "library/targets/test_verbs",
           "documents/schema/test_schema_files", "documents/schema/test_schema_reference",
           "documents/schema/test_schema_spec", "kit/tests/test_kit_forms",
           "kit/conform/test_conformance", "packages/install/test_headers",
           "documents/schema/test_textlog_tables"),
)  # fmt: skip
def event(tree):
    tree.insert("SPEC.md", "### child_start\n", SECTION)
    tree.insert("SPEC.md", "normal-child-start  =",
                'normal-checkpoint   = "checkpoint " name " step:" number\n')
    tree.insert("SPEC.md", "perf-child-start  =",
                'perf-checkpoint   = "stage:" name " step:" number\n')
    tree.replace_text("SPEC.md", "since 2.47 | `printf` |",
                      "since 2.47 | `printf`, `checkpoint` |")
    tree.write("schema/events/checkpoint.schema.json", SCHEMA)
    tree.after_row("TR2_EVENTS", "ALIAS", (
        ' \\\n\tROW(CHECKPOINT, "checkpoint", N(checkpoint), P(checkpoint), 0,'
        " \\\n\t    F(stage, STRING, 0), F(step, INT, 0), END)"))
    tree.replace("tr2_event", "const char *alias;",
                 "const char *alias;\n\tconst char *stage;\n\tint step;")
    tree.after("tr2_perf_alias", PAYLOADS)
    tree.insert("ref/trace2.h", "#define trace2_cmd_list_config()", MACRO)
    tree.after("trace2_cmd_alias_fl", CALL)
    tree.insert("ref/trace2.h", "/*\n * Record an alias and its expansion.",
                DECLARATION)
    tree.insert("t/kit/drivers/trace.c", "static void end_thread(", HANDLER)
    tree.append("t/kit/drivers/trace.c", '\t{ "report_exit"',
                '\t{ "checkpoint", trace_checkpoint },\n')
    tree.append("t/kit/contract.tsv", "529session_id\t",
                "checkpoint\t<stage> <step>\tany int\t"
                "expect <stage> <step>\tcheckpoint stage=$1 step=$2\t"
                "a `checkpoint`\n")
    tree.append("golden/MANIFEST.tsv", "529session_id\t",
                "checkpoint\t0\tnormal perf event\t\t"
                f"test-tool trace2 checkpoint link 3\t{EVENT_IDS}\n")
    tree.extend("t/kit/scenarios/events_command.py", SHOWS)


# A setting

SETTING_USED = """\
	if (reason != TRACE2_PROCESS_INFO_STARTUP ||
	    !tr2_process.settings.ancestry)
		return;"""

SETTING_SCENARIO = '''

ALONE = "a process that is asked not to tells nothing of its parents"


@scenario(ALONE, verbs=("001return",), ids=("settings.ancestry",))
def alone(kit):
    for asked in ({"env": {"GIT_TRACE2_ANCESTRY": "0"}},
                  {"files": home(ancestry=b"no")}):
        run = kit.run("001return", "0", **asked)
        kit.equal("settings.ancestry", len(run.events("cmd_ancestry")), 0)


fault("settings.ancestry", ALONE,
      event=(rb'"event":"start"', rb'"event":"cmd_ancestry"'))
'''


@change("Add a setting", 6,
        tests=("library/settings/test_settings", "kit/tests/test_kit_config",
               "kit/conform/test_conformance"))
def setting(tree):
    tree.append("SPEC.md", "| `GIT_TRACE2_SIGNALS` |",
                "| `GIT_TRACE2_ANCESTRY` | `trace2.ancestry` | boolean "
                "| true |\n")
    tree.insert("SPEC.md", "- **`settings.redact`** ", (
        "- **`settings.ancestry`** MUST [full] {decision}: "
        "`GIT_TRACE2_ANCESTRY`, else `trace2.ancestry`, being false leaves "
        "out `cmd_ancestry`.\n"))
    tree.replace("tr2_settings", "int redact;",
                 "int redact;\n\tint ancestry; /* 0 or 1; default 1 */\n\t")
    tree.after_row("settings_table", '"GIT_TRACE2_SIGNALS"', (
        '\n\t{ "GIT_TRACE2_ANCESTRY", "trace2.ancestry", apply_bool, 1, 0,'
        "\n\t  OFFSET(ancestry) },"))
    tree.replace("trace2_collect_process_info_fl",
                 "if (reason != TRACE2_PROCESS_INFO_STARTUP) return;",
                 SETTING_USED.strip())
    tree.insert("ref/libtrace2.3", ".It Ev GIT_TRACE2_REDACT\n",
                ".It Ev GIT_TRACE2_ANCESTRY\nSet to 0 to leave out the names "
                "of the processes above\n.Pq trace2.ancestry .\n")
    tree.extend("t/kit/scenarios/settings_values.py", SETTING_SCENARIO)


# A rule across events

RULE_CHECK = """\
/* SPEC\x3a stream.cmd_path.place */
static void take_cmd_path(struct tr2_step *step)
{
	if (step->session->seen.exit)
		tr2_step_report(step, TR2_STREAM_CMD_PATH_PLACE,
				"cmd_path after the exit of the process");
}

"""

RULE_STORIES = """

== a cmd_path does not follow the exit
version
start
cmd_path path=/usr/bin/git
exit
cmd_path path=/usr/bin/git
! stream.cmd_path.place event: cmd_path after the exit of the process
atexit

== each cmd_path after the exit is told
version
start
exit
cmd_path path=/a
! stream.cmd_path.place event: cmd_path after the exit of the process
cmd_path path=/b
! stream.cmd_path.place event: cmd_path after the exit of the process
atexit
"""


@change("Add a rule across events", 5,
        tests=("commands/rules/test_validate_corpus", "commands/rules/test_validate_rules",
               "commands/rules/test_validate_stories", "documents/schema/test_event_corpus",
               "commands/rules/test_validate_defects"))
def rule_across_events(tree):
    tree.insert("SPEC.md", "- **`stream.exit.once`** ", (
        "- **`stream.cmd_path.place`** MUST NOT [full, git] {decision}: "
        "write a `cmd_path` after the `exit` of its process "
        "(`event.cmd_path`).\n"))
    tree.after_row("TR2_STREAM_RULE_ROWS", "CMD_ANCESTRY_PLACE", (
        ' \\\n\tROW(CMD_PATH_PLACE, "stream.cmd_path.place", TR2_ERROR, EVENT, false)'))
    tree.before("tr2_life_event", RULE_CHECK)
    tree.replace("tr2_life_event", "if (is == TR2_IS_CMD_ANCESTRY)",
                 "if (is == TR2_IS_CMD_PATH)\n\t\ttake_cmd_path(step);\n"
                 "\telse if (is == TR2_IS_CMD_ANCESTRY)")
    tree.extend("t/commands/rules/stories", RULE_STORIES)
    tree.append("t/corpus/pass/neighbours.tsv", "stream.cmd_ancestry",
                "stream.cmd_path\tevent/cmd_path.event\tone before the exit\n")


# A verb with goldens

@change("Add a verb of test-tool", 2,
        tests=("library/targets/test_golden", "library/targets/test_verbs", "kit/conform/test_contract"))
def verb(tree):
    tree.append("t/kit/contract.tsv", "513printf\t",
                "region_pair\t<label>...\t-\t-\teach $* { region_enter "
                'category="cat" label=$_; region_leave category="cat" '
                "label=$_ }\ta region of each label\n")
    tree.append("golden/MANIFEST.tsv", "513printf\t",
                "region_pair\t0\tnormal perf event\t\t"
                "test-tool trace2 region_pair a 'b c'\tregion.pairs\n")


# An argument type for trace points

@change("Add an argument type for trace points", 8,
        units=("trace/engine/words", "trace/chrome/text"),
        tests=("commands/convert/test_fxt_corpus", "commands/convert/test_convert",
               "packages/install/test_headers"))
def argument_type(tree):
    tree.append("TRACING.md", "| 10 | blob |",
                "| 11 | character, by its code point | [32..63] |\n")
    tree.replace("fxt_arg", "FXT_ARG_BLOB = 10,",
                 "FXT_ARG_BLOB = 10,\n\tFXT_ARG_CHAR = 11,\n")
    tree.replace("FXT_ARG_TYPES", "FXT_ARG_BLOB", "FXT_ARG_CHAR")
    tree.insert("ref/trace/event_args.h", "#define TA_CHAR_ARRAY(", (
        "#define TA_CHAR(point) \\\n"
        "\t(trace_internal_word(FXT_ARG_CHAR, (uint32_t)(point)))\n"))
    tree.replace("forms", "[FXT_ARG_BLOB] = put_blob,",
                 "[FXT_ARG_BLOB] = put_blob,\n"
                 "\t[FXT_ARG_CHAR] = put_pointer,")
    tree.replace("arg_bits", "[FXT_ARG_BLOB] = ~UINT64_C(0),",
                 "[FXT_ARG_BLOB] = ~UINT64_C(0),\n"
                 "\t[FXT_ARG_CHAR] = ~UINT64_C(0),")
    tree.replace("take_value", "case FXT_ARG_UINT32:",
                 "case FXT_ARG_UINT32:\n\tcase FXT_ARG_CHAR:")
    tree.replace_text("t/unit/trace/engine/words.txt", "both flow-end 9 ", (
        "both flow-step 9 arg 11 0x41 other uint32 6 => "
        "3000201290054 T 410004001b 600050012 9\nboth flow-end 9 "))
    tree.replace_text("t/common/fxt_corpus.py", 'body=fxt.word(10))]),',
                      'body=fxt.word(10)),\n'
                      '            fxt.arg("char", 11, 0x41)]),')
    tree.replace_text("t/commands/convert/test_convert.py", '"koid": "#10"}',
                      '"koid": "#10",\n        "char": "0x41"}')


# A view: a command that shows something else of a log

@change("Add a view", 6, tests=("stories/test_stories", "commands/test_options",
                                "commands/test_completion"))
def view(tree):
    tree.write("helper/views/walls/walls.h", view_text.HEADER)
    tree.write("helper/views/walls/walls.c", view_text.CODE)
    tree.write("helper/views/walls/walls.usage", view_text.USAGE)
    tree.insert("helper/trace2.c", '#include "validate/validate.h"\n',
                '#include "views/walls/walls.h"\n')
    tree.insert("helper/trace2.c", '\t{ "shard", tr2_shard_main', view_text.ROW)
    tree.append("t/tools/lint/arrows.py", "helper/views/shard ", view_text.ARROWS)
    tree.replace_text("t/tools/lint/arrows.py", "helper/views/expect helper/validate helper/record",
                      "helper/views/expect helper/views/walls helper/validate helper/record")
    tree.write("helper/man/trace2-walls.1", view_text.MANUAL)
