"""The floor model; see docs/house.md."""
