"""Scenarios for a consumer: `trace2 validate`, in place of a driver.

Each gives it a log that a writer may leave behind, and looks at what it
makes of that; see kit/reading.py.
"""
