"""The floor adapters; see docs/house.md."""
