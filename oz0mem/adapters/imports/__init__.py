"""Other programs' memory files, one module a format: each gives `Record` and `BadRecord`, in file order."""
