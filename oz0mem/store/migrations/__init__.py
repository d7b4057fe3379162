"""The floor migrations; see docs/house.md."""
