"""`trace2 validate` is the consumer that SPEC.md asks for."""
import importlib, pkgutil
import pytest
from kit import faults, kit, run
import kit.consumer
from kit.consumer import forms, writers
CASES = {n: c for n, c in kit.SCENARIOS.items() if c.function.__module__.startswith("kit.consumer.")}
