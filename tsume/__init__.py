"""tsume: the application (commands, exports, diagrams)."""

__version__ = "0.1.0"
