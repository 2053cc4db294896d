"""The rules of Nertz as values and pure functions; see README.md in this folder for its law."""
