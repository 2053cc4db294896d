"""Which cards lie face up."""
