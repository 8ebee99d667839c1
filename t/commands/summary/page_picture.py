#!/usr/bin/env python3
"""Take the picture of a page: page_picture.py TRACE2 LOG OUT.png

It needs a Chromium (make chromium).
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import browser

WIDTH, HEIGHT = 1180, 640


def main():
    trace2, log, out = sys.argv[1:]
    if not browser.is_there():
        sys.exit("no build/chromium: make chromium (by npm)")
    with tempfile.TemporaryDirectory() as place:
        page = Path(place) / "page.html"
        subprocess.run([trace2, "report", "-o", page, log], check=True)
        chromium = browser.Browser(place)
        try:
            chromium.call("Emulation.setDeviceMetricsOverride", width=WIDTH,
                          height=HEIGHT, deviceScaleFactor=1, mobile=False)
            chromium.open(page)
            Path(out).write_bytes(chromium.take_picture())
        finally:
            chromium.close()


if __name__ == "__main__":
    main()
