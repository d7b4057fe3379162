"""The floor rules; see docs/house.md."""
