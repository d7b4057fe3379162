"""The command line: argv to one action to one view."""
