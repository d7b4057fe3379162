"""Tests of the door for Python."""
