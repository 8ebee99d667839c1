"""Run a test program, for 300 s at most: `alone.py PROGRAM ARGUMENT...`

What it leaves behind, say a child that hangs, is killed. It would hold the
pipe of our caller, who would wait for it for ever.
"""

import os
import signal
import sys

MOST = 300  # seconds


def start(words):
    pid = os.fork()
    if pid:
        return pid
    os.setpgid(0, 0)
    # Python ignores the first two, and whoever started us may do the others.
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP,
                   signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]}: {error.strerror}\n".encode())
    os._exit(127)


def kill(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main():
    group = start(sys.argv[1:])

    def stop(*_):
        kill(group)

    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    signal.alarm(MOST)
    status = os.waitpid(group, 0)[1]
    kill(group)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


sys.exit(main())
