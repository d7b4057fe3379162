"""The tests: one folder a floor, and the house's own rules."""
