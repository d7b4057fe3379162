"""The contract of the store: one suite, two back ends (Q14)."""
