"""`trace2 convert`: what an archive's instants keep in Chrome's JSON."""

import json

import fxt_corpus
import fxt_kit as fxt
import pytest


@pytest.fixture
def converted(execute, trace2, scratch):
    def call(archive):
        (scratch / "in.fxt").write_bytes(archive)
        result = execute([trace2, "convert", "in.fxt", "out.json"])
        assert result.returncode == 0, result.stderr
        return json.loads((scratch / "out.json").read_text())

    return call


def test_instants_of_an_archive_keep_their_scope(converted):
    trace = converted(fxt_corpus.sound()["scopes"])
    assert [(one["ph"], one["s"], one["name"], one["args"]) for one in trace
            ] == [("I", name[0], name, {"value": at}) for at, name in
                  enumerate(("thread", "process", "global"))]


def test_metadata_of_an_archive_is_a_tree(converted):
    values = [("process.arch", "x64"), ("process.release.name", "node"),
              ("process.release.lts", "Iron"), ("pid", 5)]
    one, = converted(fxt.begin() + fxt.event(
        "instant", 10, "node", "__metadata", values, more=fxt.word(1)))
    assert (one["ph"], one["cat"], one["name"]) == ("M", "__metadata", "node")
    assert one["args"] == {"pid": 5, "process": {
        "arch": "x64", "release": {"name": "node", "lts": "Iron"}}}


def test_other_instants_of_that_category_are_instants(converted):
    one, = converted(fxt.begin() + fxt.event(
        "instant", 10, "node", "__metadata", [("a.b", 1)]))
    assert (one["ph"], one["s"], one["args"]) == ("I", "t", {"a.b": 1})
