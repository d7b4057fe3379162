"""Searches that run for as long as they are let, beside the tests."""
