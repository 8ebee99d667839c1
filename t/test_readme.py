"""README.md: its commands print what it says they print."""

import subprocess


def test_commands_of_the_readme_print_what_stands_there(root):
    done = subprocess.run(
        [root / "t/readme.py", "check"], stdout=subprocess.PIPE, text=True
    )
    assert done.stdout == "" and done.returncode == 0
