# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation as web pages, in English and Japanese.

The pages of the repository are copied for each language, with their links changed, and built by Sphinx.
"""
