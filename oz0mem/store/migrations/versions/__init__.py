"""The floor versions; see docs/house.md."""
