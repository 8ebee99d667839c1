"""A headless Chromium (make chromium), driven by the DevTools protocol.

The protocol runs over two pipes, descriptors 3 and 4 of the browser: messages
are JSON and end with a NUL.
"""

import base64
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path

HOME = Path(__file__).resolve().parents[3] / "build/chromium"
FLAGS = """--headless=shell --no-sandbox --no-zygote --single-process
    --use-gl=angle --use-angle=swiftshader --in-process-gpu
    --enable-unsafe-swiftshader --disable-dev-shm-usage --hide-scrollbars
    --remote-debugging-pipe --window-size=1280,900""".split()
# What a browser does by itself for a key depends on its number and its text.
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), " ": (32, " "), "End": (35, ""),
        "Home": (36, ""), "ArrowRight": (39, ""), "ArrowDown": (40, "")}
PATIENCE = 60  # seconds for an answer, on a busy machine


def is_there():
    return (HOME / "chromium").exists()


class Browser:
    """A page in a browser. `requests` has the addresses it asked for."""

    def __init__(self, place):
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()
        # dup2 in the child must not overwrite what it still needs.
        high = [os.dup(fd) for fd in (theirs_in, theirs_out)]
        high = [os.dup2(fd, 200 + n) for n, fd in enumerate(high)]

        def place_pipes():
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [str(HOME / "chromium"), *FLAGS, f"--user-data-dir={place}",
             "about:blank"], cwd=HOME, close_fds=False,
            preexec_fn=place_pipes,
            env={"HOME": str(place), "PATH": "/usr/bin:/bin", "TZ": "UTC",
                 "LD_LIBRARY_PATH": str(HOME / "lib/lib")},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for fd in (theirs_in, theirs_out, *high):
            try:
                os.close(fd)
            except OSError:
                pass
        self.number, self.left, self.events = 0, b"", []
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=page["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.into)
        os.close(self.out)

    def read(self, end):
        while b"\0" not in self.left:
            ready = select.select([self.into], [], [], end - time.monotonic())
            got = os.read(self.into, 1 << 20) if ready[0] else b""
            if not got:
                raise TimeoutError("the browser does not answer")
            self.left += got
        text, self.left = self.left.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.read(end)
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url=f"file://{path}")
        end = time.monotonic() + PATIENCE
        while not any(e["method"] == "Page.loadEventFired"
                      for e in self.events):
            self.events.append(self.read(end))
        self.run("new Promise(done => requestAnimationFrame(() => "
                 "requestAnimationFrame(done)))")

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key, text="", shift=False):
        number, own = KEYS.get(key, (0, ""))
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key,
                      windowsVirtualKeyCode=number, modifiers=8 * shift,
                      **({"text": text or own}
                         if (text or own) and kind == "keyDown" else {}))

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def take_picture(self):
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    @property
    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events
                if e["method"] == "Network.requestWillBeSent"]

    @property
    def complaints(self):
        """Exceptions, and what the browser logged."""
        return [e["params"] for e in self.events
                if e["method"] in ("Runtime.exceptionThrown",
                                   "Log.entryAdded",
                                   "Runtime.consoleAPICalled")]
