"""Tests of what holds when processes are killed, crowd one store, or write their logs in full."""
