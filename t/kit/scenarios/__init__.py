"""One module for each part of SPEC.md; see kit/kit.py for how they look."""
