"""Flash cards of problems, as Anki takes them."""
