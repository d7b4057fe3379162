"""The floor store; see docs/house.md."""
