"""Traceability: what t/documents/requirements checks and shows. See there."""
