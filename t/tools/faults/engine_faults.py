"""Faults: edits of the trace engine, each of which breaks one requirement.

    fault("engine.dropped", "tr2_trace_drop", "1, __ATOMIC_RELAXED",
          "0, __ATOMIC_RELAXED", "trace_engine")

means: if this edit is made in the definition of `tr2_trace_drop`, wherever
in ref/ that is (see faults/source.py), the unit program trace_engine must
fail, die or hang. This is what makes a requirement of the engine tested;
`make check-engine` proves it of all.
"""

import dataclasses
import os
import re
import shutil
import subprocess
from pathlib import Path

from faults import source

ROOT = Path(__file__).resolve().parents[3]
FAULTS = []


@dataclasses.dataclass(frozen=True)
class Fault:
    id: str
    definition: str
    old: str
    new: str
    program: str

    @property
    def name(self):
        return f"{self.id} in {self.definition}: {self.new[:24]}"

    @property
    def scenario(self):
        return self.program


def fault(*parts):
    FAULTS.append(Fault(*parts))


fault("engine.header", "tr2_trace_space_describe", "space->mode",
      "(space->mode + 1)", "trace/engine/programs/engine")
# The header first, and time enough to be killed before the rest.
fault("engine.commit", "write_common", "start[1] = time",
      "tr2_trace_store(start, fxt_event_header(event->type, 9, "
      "(unsigned)event->arg_count, writer->thread.ref, (uint16_t)category, "
      "(uint16_t)name)); for (volatile int j = 0; j < 300; j++) ; start[1] = "
      "time",
      "trace/provider/kill")
fault("engine.chunk.owner", "tr2_trace_space_next",
      "tr2_trace_index(next) - 1", "(tr2_trace_index(next) - 1) / 2",
      "trace/engine/programs/engine")
fault("engine.chunk.stale", "tr2_trace_space_tag",
      "space->nonce << 32 | chunk.wrapped",
      "space->nonce << 32 | (chunk.wrapped & 1)", "trace/engine/programs/engine")
fault("engine.chunk.stale", "clear_rolling", "space->nonce = nonce",
      "nonce = space->nonce = 1", "trace/provider/kill")
fault("engine.chunk.rest", "leave_writer", "NULL;", "NULL; left->room = 0;",
      "trace/engine/programs/engine")
fault("engine.start", "clear_buffer",
      "if (mode == TRACE_START_RETAIN_BUFFER && engine.was_started) return; "
      "if (mode == TRACE_START_CLEAR_NONDURABLE_BUFFER && "
      "engine.was_started) clear_rolling(space)",
      "if (mode == TRACE_START_CLEAR_NONDURABLE_BUFFER && "
      "engine.was_started) clear_rolling(space)",
      "trace/engine/programs/engine")
fault("engine.stop", "switch_off", "tr2_trace_writer_rest_all()",
      "0 && tr2_trace_writer_rest_all()", "trace/engine/programs/engine")
fault("engine.full.oneshot", "place_after",
      "space->mode == TRACE_BUFFERING_MODE_CIRCULAR",
      "space->mode != TRACE_BUFFERING_MODE_STREAMING", "trace/engine/programs/engine")
fault("engine.full.oneshot", "take_nothing", "tr2_trace_space_end(space);",
      ";", "trace/engine/programs/engine")
fault("engine.full.circular", "place_after",
      "space->mode == TRACE_BUFFERING_MODE_CIRCULAR", "0", "trace/engine/programs/engine")
fault("engine.full.streaming", "place_after", "!(place & TR2_TRACE_PENDING)",
      "1", "trace/engine/programs/engine")
fault("engine.full.told", "tell_full",
      "if (tr2_trace_writer_rest_part(full & 1)) return;", "", "trace/engine/programs/engine")
fault("engine.full.once", "tell_full",
      "tr2_trace_store(&space->notified, place);", "", "trace/engine/programs/engine")
fault("engine.full.sleeper", "is_inside", "1;", "1; if (1) return 1;",
      "trace/engine/programs/engine")
fault("engine.full.durable", "tr2_trace_space_durable",
      "tr2_trace_space_end(space);", "", "trace/engine/programs/engine")
fault("engine.dropped", "tr2_trace_drop", "1, __ATOMIC_RELAXED",
      "0, __ATOMIC_RELAXED", "trace/engine/programs/engine")
fault("engine.dropped.header", "fold_drops", "tr2_trace_dropped()", "0",
      "trace/engine/programs/engine")
fault("engine.durable", "define_durable", "!tr2_trace.space.durable_words",
      "1", "trace/engine/programs/engine")
fault("engine.oneshot.strings", "define_here", "tr2_trace.space.durable_words",
      "1", "trace/engine/events")
fault("engine.category", "trace_internal_ask", "ask_handler(category)",
      "ask_handler(category) || 1", "trace/engine/events")
fault("engine.duration", "trace_internal_complete", "start, literal_ref",
      "start + 1000000000, literal_ref", "trace/engine/events")
# A program whose counter is the test's: many virtual machines have none.
fault("engine.time", "tr2_trace_ticks_now", "clock->ns", "1000000 + clock->ns",
      "trace/engine/parts/ticks")
fault("engine.thread", "introduce_thread",
      "if (writer->thread.ref && !put_thread(writer)) return 0;", "",
      "trace/engine/programs/engine")
fault("engine.string.cut", "tr2_trace_cut", "most--", "break", "trace/engine/words")
fault("engine.syscall", "write_common", "time;",
      "time; tr2_host->process_stat(0, (char[9]){ 0 }, 9);", "trace/engine/programs/engine")
fault("engine.syscall", "write_common", "time;",
      "time; tr2_host->free(tr2_host->realloc(NULL, 9));", "trace/engine/programs/engine")
fault("engine.nested", "tr2_trace_writer_begin",
      "__atomic_fetch_add(&writer->dropped, 1, __ATOMIC_RELAXED);", "",
      "trace/engine/programs/engine")
fault("engine.errno", "ask_name", "errno = error;", "",
      "trace/engine/events")
fault("engine.errno", "grow_space", "errno = error;", "", "trace/engine/parts/space")
fault("engine.fork", "in_child", "tr2_trace_begin_epoch(0);", "", "trace/engine/programs/engine")
fault("engine.file", "tr2_trace_space_tag",
      "tr2_trace_store(&at[0], fxt_filler(2));", "", "trace/engine/programs/engine")
# The macros are in the program.
fault("engine.arguments", "TRACE_INTERNAL_IF",
      "TRACE_INTERNAL_IS_ON(trace_site_, (category))",
      "TRACE_INTERNAL_IS_ON(trace_site_, (category)) || 1", "trace/engine/events")

fault("engine.scope", "write_common", "fxt_event_has_word(event->type, "
      "event->id)", "fxt_event_trailer(event->type)", "trace/engine/words")
fault("engine.scope", "fxt_is_wide", "scope == FXT_SCOPE_PROCESS || scope == "
      "FXT_SCOPE_GLOBAL", "scope != FXT_SCOPE_THREAD", "trace/engine/words")
fault("tracing.off", "set_enabled", "if (tracing->enabled != enabled) {", "{",
      "trace/tracing/lives")
fault("tracing.create", "trace_tracing_create", "!count ||", "",
      "trace/tracing/lives")
fault("tracing.union", "join_names",
      "if (i && !by_name(&names[i - 1], &names[i])) continue; if (i) *text++ "
      "= ','",
      "if (i) *text++ = ','", "trace/tracing/lives")
fault("tracing.union", "unite_categories", "tracing->enabled",
      "tracing->enabled && !count", "trace/tracing/lives")
fault("tracing.group", "tr2_categories_match", "if (!comma) return false",
      "return false", "trace/tracing/lives")
fault("tracing.exact", "tr2_list_has", "word.len == len", "word.len >= len",
      "trace/tracing/lives")
fault("tracing.renew", "trace_engine_renew_categories",
      "if (is_started()) tr2_trace_begin_epoch(TRACE_INTERNAL_STARTED);", "", "trace/tracing/lives")
fault("tracing.observer", "tr2_agent_observe",
      "change.was_running && observer->started", "0", "trace/tracing/lives")
fault("tracing.many", "MANY", "10", "11", "trace/tracing/lives")
fault("tracing.file", "tr2_chrome_file_begin",
      "begin_text(file); write_out(file);", "begin_text(file);",
      "trace/tracing/lives")
fault("tracing.client", "hand_out_event",
      "tr2_categories_match(client->categories, category.bytes, category.len)",
      "1 || tr2_categories_match(client->categories, category.bytes, "
      "category.len)",
      "trace/tracing/lives")
fault("tracing.client", "link_client", "else tell_newcomer(client)",
      "else", "trace/tracing/lives")
fault("tracing.thread", "end_agent", "stop_thread();", "",
      "trace/tracing/lives")
fault("tracing.signals", "start_loop_thread", "sigfillset(&every)",
      "sigemptyset(&every)", "trace/tracing/lives")
fault("tracing.fork", "forget_parent", "tracing->enabled = false", "", "trace/tracing/lives")
fault("tracing.flush", "serve_feed",
      "agent.turned_ms = now; agent.waited_ms = 0; trace_engine_turn();",
      "", "trace/tracing/lives")
fault("tracing.flush.blocking", "tr2_agent_feed_flush",
      "tr2_live_read(feed.wrapped, take_known);", "", "trace/tracing/flush")
fault("tracing.signal", "pass_on", "tr2_agent_hurry();", "",
      "trace/tracing/lives")
fault("tracing.signal", "wait_for_answer", "may_step(&wait)", "0",
      "trace/tracing/lives")
fault("tracing.signal.default", "tr2_copies_install",
      "old.sa_handler == SIG_DFL", "1", "trace/tracing/lives")
fault("tracing.signal.default", "tr2_hurry_end",
      "tr2_death_quit(TR2_DEATH_AGENT);", "", "trace/tracing/lives")
fault("tracing.client.records", "give_record",
      "own_of(client)->consumer.record(own_of(client)->consumer.context, record);",
      "", "trace/tracing/lives")
fault("tracing.client.fxt", "tell_newcomer",
      "tr2_agent_feed_repeat(tell_definitions, client);", ";",
      "trace/tracing/lives")
fault("tracing.client.json", "trace_agent_remove_client",
      "end_text(client);", ";", "trace/tracing/lives")
fault("tracing.client.exit", "flush_at_exit", "tr2_agent_flush();", "",
      "trace/tracing/lives")
fault("tracing.metadata", "hand_out_metadata", "tr2_metadata_keep(record);",
      "", "trace/tracing/lives")
fault("tracing.metadata.process", "tr2_agent_add",
      "if (!error && is_first) tr2_metadata_write();", "",
      "trace/tracing/lives")
OUTSIDE = "trace/tracing/lives"
fault("tracing.outside.file", "begin_file", "tr2_chrome_file_begin(&file, -1)",
      "1", OUTSIDE)
fault("tracing.outside.all", "copy_categories", 'strcmp(categories, "*")', "1",
      OUTSIDE)
fault("tracing.outside.pattern", "copy_pattern", "*pattern == '/'", "1",
      OUTSIDE)
fault("tracing.outside.events", "begin_file", "file.events = read_events();",
      "", OUTSIDE)
fault("tracing.outside.root", "begin_file", "file.nested = !is_root()",
      "file.nested = 0", OUTSIDE)
fault("tracing.outside.exec", "begin_file", "file.apart = true;", "",
      OUTSIDE)
fault("tracing.outside.privileged", "system_getenv",
      "tr2_host_is_privileged() ? NULL", "tr2_host_is_privileged() > 1 ? NULL",
      "host/host")
fault("tracing.outside.fork", "in_child", "file.late = true;", "", OUTSIDE)
fault("tracing.outside.trace2", "visit_file",
      "chrome.is_guest = tr2_outside_has_file(); if (!chrome.is_guest)",
      "if (!chrome.is_guest)", "target/fxt_open")
fault("tracing.fxt", "tr2_agent_feed_begin",
      "error == EBUSY && tr2_trace_yield()", "0", "process/lives")
fault("tracing.outside.fxt", "has_engine",
      "if (!tr2_outside_has_file()) return 1;", "return 1;",
      "target/fxt_open")
fault("provider.outside", "tr2_provider_begin_spare",
      "__atomic_store_n(&spare, provider, __ATOMIC_RELEASE);", "",
      "trace/provider/turns")
fault("provider.outside", "take_over", "provider->renamed = !error;", "",
      "trace/provider/turns")
fault("chrome.pattern", "put_word", "file->rotation", "file->rotation - 1",
      "trace/tracing/lives")
fault("chrome.rotation", "put_event", "file->written == file->events",
      "file->written > file->events", "trace/tracing/lives")
fault("chrome.foreign", "is_ours",
      "if (!size || (pread(fd, begin, sizeof(begin), 0) == sizeof(begin) && "
      '!memcmp(begin, "[\\n", sizeof(begin)))) return 1; errno = EEXIST; '
      "return 0",
      "if (!size || (pread(fd, begin, sizeof(begin), 0) == sizeof(begin) && "
      '!memcmp(begin, "[\\n", sizeof(begin)))) return 1; return 1',
      "trace/tracing/lives")
for owner in ("fxt.target.file.owner", "chrome.owner"):
    fault(owner, "is_foreign", "st->st_uid != geteuid()", "0",
          "descriptor/descriptor")
fault("fxt.target.machine", "tr2_fxt_engine_is_there", "return 0;",
      "return 1;", "fxt/unsupported")
fault("chrome.text", "tr2_put_string",
      "tr2_json_text(out, text.bytes, text.len)",
      "tr2_buf_byte(out, '\"'); tr2_buf_add(out, text.bytes, text.len); "
      "tr2_buf_byte(out, '\"')", "trace/tracing/lives")
fault("chrome.scope", "put_scope", "scope == FXT_SCOPE_PROCESS", "0",
      "trace/chrome/text")
fault("chrome.metadata.event", "tr2_chrome_is_metadata",
      "record->id == FXT_SCOPE_PROCESS", "1", "trace/chrome/text")
fault("chrome.metadata.event", "match_path", "len = i + 1", "len = 0",
      "trace/chrome/text")
fault("chrome.order", "find_chunk", "index * chunk_words()",
      "(count_chunks() - 1 - index) * chunk_words()", "trace/tracing/lives")
fault("chrome.metadata", "open_next",
      "tr2_agent_tell_names(&file->client);", "",
      "trace/tracing/lives")
fault("chrome.dropped", "flush_file", "dropped > file->dropped", "0",
      "trace/tracing/lives")
fault("settings.privileged", "system_getenv", "tr2_host_is_privileged() ? NULL",
      "tr2_host_is_privileged() > 1 ? NULL", "host/host")
fault("chrome.failure", "give_up", "close_file(file);", "", "trace/tracing/lives")
fault("chrome.failure.line", "give_up", "over < (off_t)done", "0",
      "trace/tracing/lives")


def edited(broken):
    """The file with the fault in it."""
    return source.change(ROOT / "ref", broken.definition, broken.old,
                         broken.new)


def build(broken, tree):
    """The unit program with the fault; what has none comes from build/."""
    shutil.copytree(ROOT / "ref", tree / "ref")
    edit = edited(broken)
    path = tree / edit.path.relative_to(ROOT)
    path.write_text(edit.text)
    sources = [path]
    if path.suffix == ".h":  # what includes it, and what that calls
        sources = sorted(path.parent.glob("*.c"))
    unit = ROOT / f"t/unit/{broken.program}.c"
    # A unit program may include the source, to compile it in another way.
    if f'#include "{path.relative_to(tree / "ref")}"' in unit.read_text():
        sources = []
    sources.append(unit)
    program = tree / "program"
    subprocess.run(
        ["gcc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-DTRACE2_BUILDING",
         '-DTRACE2_VERSION="1"', "-O1", "-w", "-pthread", f"-I{tree}/ref",
         f"-I{tree}/ref/trace/compat", f"-I{ROOT}/helper", f"-I{ROOT}/t/unit",
         "-o", program, *sources, ROOT / "build/manager.a",
         ROOT / "build/validate.a", ROOT / "build/ref.a", "-lmd"],
        check=True,
    )  # fmt: skip
    return program


def verdict(program, scratch):
    """"noticed", "not noticed", or the reason why all of it is skipped here. A
    program that hangs or dies noticed."""
    try:
        done = subprocess.run(
            [program], cwd=scratch, timeout=20, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "noticed"
    if done.returncode:
        return "noticed"
    only = re.fullmatch(r"ok 1 - .* # SKIP (.*)\n1\.\.1\n", done.stdout)
    return only[1] if only else "not noticed"
