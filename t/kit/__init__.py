"""The conformance kit: scenarios against any driver. See t/README.md."""
