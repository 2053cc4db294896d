"""Where pictures come from, and whether they show the table well."""
