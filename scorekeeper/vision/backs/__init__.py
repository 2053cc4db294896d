"""How many cards of each deck lie face down."""
