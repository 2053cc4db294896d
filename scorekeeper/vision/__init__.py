"""The eye: pictures to readings; no game in it."""
