"""The engines in which pages are tested: Chromium, Firefox and WebKitGTK, as Debian packages them."""
