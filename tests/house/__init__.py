"""What holds for the whole house: sizes, floors, names, and what a command loads."""
