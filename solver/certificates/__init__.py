"""Certificates: files that prove a verdict, their writer and their checker (docs/certificates.md)."""
