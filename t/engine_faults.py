"""Faults: edits of the trace engine, each of which breaks one requirement.

    fault("engine.dropped", "session.c", "&writer->dropped, 1,",
          "&writer->dropped, 0,", "trace_engine")

says: with this edit of ref/trace/session.c the unit program trace_engine
must fail (or die, or hang). This is what makes a requirement of the engine
tested; `make check-engine` proves it of all.
"""

import dataclasses
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What includes a header with a fault in it.
SOURCES = ("buffer", "engine", "event", "object", "session", "space",
           "strings", "ticks", "writer")  # fmt: skip
FAULTS = []


@dataclasses.dataclass(frozen=True)
class Fault:
    id: str
    file: str
    old: str
    new: str
    program: str

    @property
    def name(self):
        return f"{self.id} in {self.file}"

    @property
    def scenario(self):
        return self.program


def fault(*parts):
    FAULTS.append(Fault(*parts))


fault("engine.header", "space.c", "(uint8_t)space->mode",
      "(uint8_t)(space->mode + 1)", "trace_engine")
# The header first, and time enough to be killed before the rest.
fault("engine.commit", "event.c", "	start[1] = time;\n",
      "	tr2_trace_store(start, fxt_event_header(event->type, 9,\n"
      "		(unsigned)event->arg_count, writer->thread.ref,\n"
      "		(uint16_t)category, (uint16_t)name));\n"
      "	for (volatile int j = 0; j < 300; j++)\n		;\n"
      "	start[1] = time;\n", "trace_kill")
fault("engine.chunk.owner", "space.c", "chunk->index = tr2_trace_index(next) - 1",
      "chunk->index = (tr2_trace_index(next) - 1) / 2", "trace_threads")
fault("engine.chunk.stale", "space.c",
      "(uint64_t)space->nonce << 32 | chunk.wrapped",
      "(uint64_t)space->nonce << 32 | (chunk.wrapped & 1)", "trace_engine")
fault("engine.chunk.stale", "engine.c", "	space->nonce = nonce;\n",
      "	nonce = space->nonce = 1;\n", "trace_kill")
fault("engine.chunk.rest", "writer.c", "	tr2_trace_self = NULL;\n	__atomic",
      "	tr2_trace_self = NULL;\n	left->room = 0;\n	__atomic",
      "trace_engine")
fault("engine.start", "engine.c",
      "	if (mode == TRACE_START_RETAIN_BUFFER && engine.was_started)\n"
      "		return;\n", "", "trace_engine")
fault("engine.stop", "engine.c", "tr2_trace_writer_rest_all(); tries++",
      "0 && tr2_trace_writer_rest_all(); tries++", "trace_rest")
fault("engine.full.oneshot", "space.c",
      "space->mode == TRACE_BUFFERING_MODE_CIRCULAR)\n		return (wrapped",
      "space->mode != TRACE_BUFFERING_MODE_STREAMING)\n		return (wrapped",
      "trace_engine")
fault("engine.full.circular", "space.c",
      "space->mode == TRACE_BUFFERING_MODE_CIRCULAR)\n		return (wrapped",
      "0)\n		return (wrapped", "trace_engine")
fault("engine.full.streaming", "space.c",
      "	    !(place & TR2_TRACE_PENDING))\n		return",
      "	    1)\n		return", "trace_rest")
fault("engine.full.told", "engine.c",
      "	if (tr2_trace_writer_rest_part(full & 1))\n		return;\n", "",
      "trace_rest")
fault("engine.full.once", "engine.c",
      "	tr2_trace_store(&space->notified, place);\n", "", "trace_rest")
fault("engine.full.sleeper", "writer.c", "} while (!rest(writer, state));",
      "	if (1)\n			return 1;\n	} while (!rest(writer, state));",
      "trace_rest")
fault("engine.full.durable", "space.c",
      "	__atomic_fetch_or(&space->place, TR2_TRACE_FULL, __ATOMIC_ACQ_REL);\n",
      "", "trace_engine")
fault("engine.dropped", "session.c", "&writer->dropped, 1,",
      "&writer->dropped, 0,", "trace_engine")
fault("engine.dropped.header", "engine.c", "tr2_trace_dropped());\n}",
      "0);\n}", "trace_engine")
fault("engine.durable", "session.c", "	return !tr2_trace.space.durable_words ||",
      "	return 1 ||", "trace_engine")
fault("engine.oneshot.strings", "session.c",
      "	if (tr2_trace.space.durable_words || *had & bit)",
      "	if (1 || *had & bit)", "trace_events")
fault("engine.category", "session.c", "			is_on = ask_handler(category);",
      "			is_on = ask_handler(category) || 1;", "trace_events")
fault("engine.duration", "event.c", "&event, start, literal_ref",
      "&event, start + 1000000000, literal_ref", "trace_events")
fault("engine.time", "ticks.h", "return clock->ns +", "return 1000000 + clock->ns +",
      "trace_events")
fault("engine.thread", "session.c",
      "	if (writer->thread.ref && !put_thread(writer))\n		return 0;\n",
      "", "trace_engine")
fault("engine.string.cut", "session.c", "		most--;", "		break;",
      "trace_events")
fault("engine.syscall", "event.c", "	start[1] = time;\n",
      "	start[1] = time;\n	tr2_host->process_stat(0, (char[9]){ 0 }, 9);\n",
      "trace_path")
fault("engine.syscall", "event.c", "	start[1] = time;\n",
      "	start[1] = time;\n	tr2_host->free(tr2_host->realloc(NULL, 9));\n",
      "trace_path")
fault("engine.nested", "writer.c",
      "			__atomic_fetch_add(&writer->dropped, 1,\n"
      "					   __ATOMIC_RELAXED);\n", "",
      "trace_signal")
fault("engine.errno", "object.c", "	errno = error;\n", "", "trace_events")
fault("engine.errno", "space.c", "	errno = error; /* SPEC: engine.errno */\n", "",
      "trace_space")
fault("engine.fork", "engine.c", "	begin_epoch(0);\n	tr2_trace_writer_forget();",
      "	tr2_trace_writer_forget();", "trace_fork")
fault("engine.file", "space.c", "	tr2_trace_store(&at[0], fxt_filler(2));\n",
      "", "trace_engine")
# The macros are in the program.
fault("engine.arguments", "event_internal.h",
      "		if (TRACE_INTERNAL_IS_ON(trace_site_, (category))) {",
      "		if (TRACE_INTERNAL_IS_ON(trace_site_, (category)) || 1) {",
      "trace_events")

fault("tracing.off", "tracing.c", "	if (tracing->enabled != enabled) {", "	{",
      "tracing_off")
fault("tracing.create", "tracing.c", "	return count > 0;", "	return true;",
      "tracing_create")
fault("tracing.union", "categories.c",
      "		if (i && !by_name(&names[i - 1], &names[i]))\n			continue;\n", "",
      "tracing_object")
fault("tracing.union", "tracing.c", "		if (tracing->enabled)\n			lists",
      "		if (tracing->enabled && !count)\n			lists", "tracing_object")
fault("tracing.group", "categories.c", "		if (!comma)\n			return false;",
      "		return false;", "tracing_group")
fault("tracing.exact", "categories.c", "if (item == len &&", "if (item >= len &&",
      "tracing_names")
fault("tracing.renew", "engine.c",
      "	if (is_started())\n		begin_epoch(TRACE_INTERNAL_STARTED);\n", "",
      "tracing")
fault("tracing.observer", "agent.c",
      "	if (is_running() && observer->started)", "	if (0)", "tracing")
fault("tracing.many", "tracing.c", "#define MANY 10", "#define MANY 11",
      "tracing_many")
fault("tracing.file", "chrome_file.c",
      "	begin_text(file);\n	write_out(file);\n", "	begin_text(file);\n",
      "tracing_unmatched")
fault("tracing.client", "agent.c", "		if (tr2_categories_match(", "		if (1 || tr2_categories_match(",
      "tracing_clients")
fault("tracing.client", "agent.c", "		tr2_agent_names_tell(client);\n", "		;\n",
      "tracing_clients")
fault("tracing.thread", "agent.c",
      "	stop_thread();\n	tr2_agent_feed_end();", "	tr2_agent_feed_end();",
      "tracing")
fault("tracing.signals", "loop.c", "sigfillset(&every)", "sigemptyset(&every)",
      "tracing")
fault("tracing.fork", "tracing.c", "		tracing->enabled = false;\n	tr2_",
      "		;\n	tr2_", "tracing")
fault("tracing.flush", "agent.c",
      "		agent.turned_ms = now;\n		trace_engine_turn();\n", "",
      "tracing_file")
fault("chrome.pattern", "chrome_name.c", "tr2_buf_uint(out, file->rotation);\n		return",
      "tr2_buf_uint(out, file->rotation - 1);\n		return", "tracing_file")
fault("chrome.rotation", "chrome_file.c", "file->written == file->events",
      "file->written > file->events", "tracing_file")
fault("chrome.foreign", "chrome_file.c", "	errno = EEXIST;\n	return 0;",
      "	return 1;", "tracing_file")
for owner in ("fxt.target.file.owner", "chrome.owner"):
    fault(owner, "trace_file.c", "st->st_uid != geteuid()", "0", "trace_file")
fault("chrome.text", "values.c", "	tr2_json_escape(out,", "	tr2_buf_add(out,",
      "tracing_file")
fault("chrome.order", "buffer.c",
      "		const uint64_t *chunk = part.start + i * part.chunk_words;\n\n"
      "		if (pass_of(checked, chunk, number)",
      "		const uint64_t *chunk = part.start +\n"
      "			(part.chunks - 1 - i) * part.chunk_words;\n\n"
      "		if (pass_of(checked, chunk, number)", "tracing_file")
fault("chrome.metadata", "chrome_file.c",
      "	tr2_agent_tell_names(&file->client);\n", "", "tracing_file")
fault("chrome.dropped", "chrome_file.c", "	if (dropped > file->dropped)",
      "	if (0)", "tracing_file")
fault("chrome.failure", "chrome_file.c",
      "		lose(file, *at++ == '\\n');\n	close_file(file);",
      "		lose(file, *at++ == '\\n');", "tracing_file")
fault("chrome.failure.line", "chrome_file.c", "	while (over < (off_t)done &&",
      "	while (0 &&", "tracing_file")


def seed(broken, tree):
    """A copy of ref/ with the fault in it."""
    shutil.copytree(ROOT / "ref", tree / "ref")
    path = tree / "ref/trace" / broken.file
    text = path.read_text()
    assert broken.old in text, f"{broken.file} has no {broken.old!r}"
    path.write_text(text.replace(broken.old, broken.new, 1))


def build(broken, tree):
    """The unit program with the fault; what has none comes from build/."""
    names = [Path(broken.file).stem]
    if broken.file.endswith(".h"):
        names = SOURCES
    sources = [tree / f"ref/trace/{name}.c" for name in names]
    sources.append(ROOT / f"t/unit/{broken.program}.c")
    program = tree / broken.program
    subprocess.run(
        ["gcc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-DTRACE2_BUILDING",
         '-DTRACE2_VERSION="1"',
         "-O1", "-w", "-pthread", f"-I{tree}/ref", f"-I{tree}/ref/trace/compat",
         "-o", program, *sources, ROOT / "build/ref.a", "-lmd"],
        check=True,
    )  # fmt: skip
    return program


def fails(program, scratch):
    """Does it notice? A program that hangs or dies did."""
    try:
        done = subprocess.run(
            [program], cwd=scratch, timeout=20, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0
