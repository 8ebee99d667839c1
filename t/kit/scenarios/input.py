"""Input: EVENT text that any reader can take apart into objects."""

from kit.faults import fault
from kit.kit import scenario
from kit.sound import MIB, broken

IDS = tuple("input." + name for name in (
    "utf8", "bom", "nul", "crlf", "blank-line", "json", "not-object",
    "two-objects", "torn-line", "final-newline", "duplicate-key",
    "lone-surrogate", "number-range", "depth", "long-line", "huge-line"))

# Words that are hard to write; the surrogates stand for bytes.
HARD = ("a\udcffb\udcc3(", "\udced\udca0\udc80", "\x01\x1f\x7f\x1b[31m\b\f\t",
        "quote\" back\\ slash/", "two\nlines\r\n", "\r", "\r\n\r\n",
        "\xe9\u20ac\U0001f389", "\ufeff", '"}\n{"event":"x"}', "{[" * 999,
        "x" * 120000)


@scenario("EVENT is sound, however hard its texts are",
          verbs=("003error", "006data", "200counter"), ids=IDS)
def sound(kit):
    for words in (("003error", *HARD), ("006data", *HARD),
                  ("200counter", "-1")):
        run = kit.run(*words, targets=("event",))
        run.event("exit")
        found = broken(run.log("event"))
        for name in IDS:
            kit.check(name, name not in found, "no such line",
                      repr(found.get(name, b"")[:200]))


SOUND = "EVENT is sound, however hard its texts are"


def line_fault(name, pattern, new):
    fault("input." + name, SOUND, event=(pattern, new))


def text_fault(name, change):
    """A fault in the whole log."""

    def edit(run):
        run.files["event"] = change(run.files["event"])
        return run

    fault("input." + name, SOUND, edit=edit)


line_fault("utf8", b"\xef\xbf\xbd", b"\xff")
text_fault("bom", lambda text: b"\xef\xbb\xbf" + text)
line_fault("nul", b'"thread":"main"', b'"thread":"main\0"')
line_fault("crlf", b"\n", b"\r\n")
line_fault("blank-line", b'("event":"exit".*\n)', rb"\1 \n")
line_fault("json", b'"code":0', b'"code":+0')
line_fault("json", rb"\\u001b", b"\x1b")
line_fault("not-object", rb'^(\{"event":"exit".*\})', rb"[\1]")
line_fault("two-objects", rb'^(\{"event":"exit".*)\n', rb"\1\1\n")
line_fault("torn-line", b'(^.*"event":"exit".*),"code.*', rb"\1")
line_fault("torn-line", b'(^.*"event":"exit".*),"code.*\n', rb"\1")
text_fault("final-newline", lambda text: text[:-1])
line_fault("duplicate-key", b'("thread":"main"),', rb"\1,\1,")
line_fault("lone-surrogate", b"\xef\xbf\xbd", rb"\\udcff")
line_fault("number-range", b":18446744073709551615", b":18446744073709551616")
line_fault("number-range", b'"t_abs":[0-9.]+', b'"t_abs":1e999')
line_fault("depth", b'("event":"exit".*)}', rb'\1,"x":%s}' % (
    600 * b"[" + 600 * b"]"))
line_fault("depth", b'("event":"exit".*)}', rb'\1,"x":%s}' % (
    9999 * b"[" + 9999 * b"]"))
text_fault("long-line", lambda text: longer(text, MIB))
text_fault("huge-line", lambda text: longer(text, 16 * MIB))


def longer(text, length):
    """The last event has one more key."""
    return text[:-2] + b',"x":"' + length * b"x" + b'"}\n'
