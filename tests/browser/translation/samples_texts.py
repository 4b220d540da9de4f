# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts: formats, methods, patterns."""

# mypy: disable-error-code="str-format"
# Programs may be written like that where their types are not known.

from __future__ import annotations

import re
from typing import Any

from tests.browser.translation.failing import failure


def texts() -> list[Any]:
    value, name = 3.14159, "ab"
    return [
        f"{value:.2f}", f"{name!r}", f"{name:>5}|{name:<4}|{name:^6}|", f"{7:03d}", f"{1234567:,}",
        f"{0.256:.0%}",
        ["a", "b", "", "c"], ["a", "b"], ["a", "b-c"], ", ".join(["x", "y"]), "abc"[::-1],
        "hello"[1:3], "hello"[-2:], "Hi".upper(), "x" * 3, "abc".replace("b", "z"), "a=b=c".partition("="),
        "12".isdigit(), "prefix-x".removeprefix("prefix-"), "{} {a}".format("p", a=1) if False else "",
        "{a}/{b:>3}".format(**{"a": 1, "b": "q"}), "é".casefold(), "".join(map(str, range(4))), str(None),
        str(True),
        repr("it's"), "b" in "abc", "abc".find("c"), "abc".startswith(("x", "a")), "  x ".strip(),
        f"{2.5:.0f}",
        f"{0.5:.0f}", f"{1e-3}", "x.y".rstrip("y"), "abab".count("ab"), sorted("cab"), list("xy"),
    ]  # fmt: skip


def formats() -> list[Any]:
    one, third, big, name = 1, 1 / 3, 2**70, "ab"
    return [
        f"{one:5}|{one:<5}|{one:^5}|{one:>5}|{one:05}|{-one:05}|{one:+d}|{one: d}|{-one:=5}|{one:*^5}",
        f"{third:.3f}|{third:8.2f}|{-third:08.2f}|{third:e}|{third:.2e}|{third:.3g}|{third:%}|{third:.1%}",
        f"{1e-5:g}|{1234567:g}|{1e20:g}|{0.0001:g}|{100000:g}|{1000000:g}|{1e-7:.3g}|{12345.678:,.2f}",
        f"{-1234567:,}",
        f"{255:x}|{255:X}|{255:b}|{8:o}|{big:,}|{big}|{big:x}|{True:d}|{True:5}|{True}",
        f"{True!s:5}|{name:.1}|{name:5.1}|",
        f"{0.5:.0f}|{1.5:.0f}|{2.5:.0f}|{0.125:.2f}|{2.675:.2f}|{-0.04:.1f}|{1e22:.1f}|{1e15:.1f}",
        f"{float('inf'):.2f}",
        f"{name!r:>6}|{None}|{None!s:>6}|{3!r}|{'a' + 'b'!r}|{name:>{one + 5}}|{{}}|{name=}",
        str(1e16), str(1e-5), str(1e-4), str(1.5e-7), str(1e22), str(123456789.125), str(0.1 + 0.2),
        str(-1.5),
        repr("a'b"), repr('a"b'), repr("a'b\"c"), repr("a\\b\n\t\x00\x7f\xa0é\u3000\u200b"),
        repr("𠮷\U000e0001"), str(1.5),
        "{} {} {}".format(1, "b", 2.5), "{1}{0}{1}".format("a", "b"), "{a:>4}{b!r}".format(a=1, b="c"),
        "{{{}}}".format(2),
        "{x:.2f}/{y}".format(**{"x": 0.5, "y": None}), "%".join(["1", "2"]), "a" + "b" * 2 + "c",
    ]  # fmt: skip


def methods_of_texts() -> list[Any]:
    return [
        " \u3000a\ufeff ".strip(), "\x1ca\x85".strip(), " a\x1cb\u2003c ".split(), "a  b c ".split(None, 1),
        "a,b,,c".split(","),
        "a,b,c".split(",", 1), "a,b,c".split(sep=",", maxsplit=1), "".split(), "".split(","), " ".split(),
        "aXbX".split("X"),
        "xxabcxx".strip("x"), "abcba".lstrip("ab"), "abcba".rstrip("ab"), "aaa".strip("a"),
        "ab".replace("a", "xa", 2),
        "aaaa".replace("aa", "b", 1), "abc".replace("", "-"), "abc".replace("", "-", 2),
        "aa".replace("a", "$&"), "abcabc".find("c", 3),
        "abcabc".find("c", -2), "abcabc".find("a", 1, 3), "abcabc".rfind("a"), "abcabc".rfind("a", 0, 3),
        "abc".find(""), "abc".find("", 9),
        "abcabc".index("b", 2), "aaa".count("aa"), "abc".count(""), "abcabc".count("a", 1),
        "abc".startswith("b", 1), "abc".endswith("b", 0, 2),
        "abc".startswith(""), "abc".startswith("", 5), "abc".endswith(("x", "c")),
        "a\r\nb\nc\x0bd\x1ce\u2028f\n".splitlines(), "".splitlines(), "\n".splitlines(),
        "-5".zfill(4), "5".zfill(3), "+5".zfill(2), "ab".center(5), "abc".center(6, "*"), "a".center(4),
        "ab".ljust(4, "."), "ab".rjust(4),
        "ß".upper(), "ß".casefold(), "ΑΣ".lower(), "ς".casefold(), "İ".lower(), "ﬁ".casefold(),
        "ı".casefold(), "hELLO wORLD".capitalize(), "".capitalize(),
        ["1".isdigit(), "１".isdigit(), "²".isdigit(), "①".isdigit(), "½".isdigit(), "一".isdigit(),
         "".isdigit(), "1a".isdigit()],
        ["あ".isalpha(), "a1".isalpha(), "".isalpha(), "ー".isalpha(), "a1".islower(), "1".islower(),
         "ʰ".islower(), "ǅ".isupper(), "A1".isupper()],
        [" \u3000\x1c".isspace(), "\ufeff".isspace(), "".isspace(), "é".isascii(), "".isascii()],
        "a=b".partition("="), "a=b=c".rpartition("="),
        "x".partition("="), "x".rpartition("="), "abc".removesuffix(""), "abc".removesuffix("c"),
        "abc".translate({97: "A", 98: None, 99: 100}),
        ["a" < "b", "a" < "B", "" < "a", "ab" < "b", "\uffff" < "\U00010000", "𠮷" > "\ue000",
         sorted(["𠮷", "\uff21", "a"])],
        "bc" in "abc", "" in "abc",
    ]  # fmt: skip


def wide_texts() -> list[Any]:
    text = "a𠮷b🀄"
    return [
        len(text), text[1], text[-1], text[1:3], text[::-1], text[::2], text.find("b"), text.rfind("🀄"),
        text.index("🀄"), text[2:],
        text.center(8, "*"), text.ljust(6, "."), f"{text:>6}|{text:^6}|{text:.2}", list(text),
        text.count(""), text.find("b", 2), text.startswith("b", 2),
        sorted(text), text.strip("a🀄"), text.upper(), [c for c in text], text * 2, text.replace("", "-"),
        min(text), failure(lambda: text[4]),
    ]  # fmt: skip


def patterns() -> list[Any]:
    digits, word, named = (re.compile(r"\d+"), re.compile(r"(\w+)\s*=\s*([^;\]]*)"), re.compile(r"(?P<a>x)(?P<b>y)?"))
    ascii_only, found = re.compile(r"\d+|\w", re.ASCII), re.compile(r"([a-z])(\d+)?").search("--b7")
    same = named.match("x")
    return [
        digits.findall("１2 34"), ascii_only.findall("１2é4_"), word.findall("é = 1;b=２ ]"),
        bool(digits.fullmatch("12\n")), bool(digits.match("12\n")),
        bool(re.match("a$", "a\n")), bool(re.fullmatch("a", "a\n")), re.findall("a.b", "a\rb a\nb"),
        re.sub("a", "b", "aaa", count=2), re.sub("(a)|b", "-", "abc"),
        (found.group(0), found.group(1, 2), found.groups(), found.start(), found.end()) if found else None,
        (same["a"], same["b"]) if same else None,
        [m[0] for m in digits.finditer("1a22")], digits.sub(lambda m: str(int(m[0]) + 1), "9 19"),
        re.findall("[.$]", "a.$"), re.findall(r"\.|\$|\-", "-a.$"),
        re.findall("x*", "xxa"), failure(lambda: same["c"] if same else 0),
        re.search("b", "abc") is not None, digits.match("a12", 1) is not None,
    ]  # fmt: skip
