"""The floor actions; see docs/house.md."""
