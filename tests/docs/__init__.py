"""Documentation that cannot drift: pages that are run, pages that are generated and compared."""
