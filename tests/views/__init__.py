"""From a result to what is shown of it."""
