"""The experiments of the papers this project is built on."""
