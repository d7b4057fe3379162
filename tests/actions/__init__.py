"""Tests of the actions, on real stores."""
