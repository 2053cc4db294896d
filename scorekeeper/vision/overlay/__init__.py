"""What the eye saw, drawn over the picture."""
