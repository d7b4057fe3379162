"""The memory commands: reading, writing and importing, by people and as agents."""
