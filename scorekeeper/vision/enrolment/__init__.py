"""How the back of a deck is learned."""
