"""The pages of the scorekeeper: a Flask application made by ``create_app``."""

from web.app import create_app

__all__ = ["create_app"]
