# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates: files that prove a verdict, their writer and their checker (docs/certificates.md)."""
