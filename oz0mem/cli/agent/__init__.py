"""The commands of agents: their declarations and their jobs."""
