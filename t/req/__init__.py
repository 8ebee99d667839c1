"""Traceability: what t/requirements checks and shows. See there."""
