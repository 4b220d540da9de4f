# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a translation: the module, the function around, and the names in sight."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from tsume.browser.translation.externals import BUILTINS, EXCEPTIONS, EXTERNALS, MEMBERS
from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import Binding, External, Global, ModuleName, Modules
from tsume.browser.translation.names import local_name
from tsume.browser.translation.signatures import Signatures


@dataclass
class Temporaries:
    """Names of a function's temporary variables, each used once."""

    used: int = 0

    def new(self) -> str:
        """Another name."""
        self.used += 1
        return f"${self.used}"

    @property
    def names(self) -> list[str]:
        """All of them."""
        return [f"${number}" for number in range(1, self.used + 1)]


@dataclass(frozen=True)
class Context:
    """Where a piece of code stands.

    ``scopes`` are the local names, of the innermost function last; ``kinds`` say of some what they are.
    ``handles``: whether an exception is being handled here, which ``raise`` alone raises again.
    ``owner``: inside a method, the name of ``self``. ``inside``: temporaries of the function around; None at
    the top level, where they are not to be had.
    """

    modules: Modules
    signatures: Signatures
    js_name: Callable[[Global], str]
    module: str = ""
    within: str = ""
    scopes: tuple[frozenset[str], ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    handles: bool = False
    temporaries: Temporaries = field(default_factory=Temporaries)

    def of_module(self, name: str, within: str = "") -> Context:
        """The top level of a module; ``within`` is the name of the definition that is written."""
        return Context(self.modules, self.signatures, self.js_name, name, within)

    def inner(self, names: Iterable[str]) -> Context:
        """A scope inside this one with names of its own; the temporaries stay the function's."""
        own = frozenset(names)
        kinds = {name: kind for name, kind in self.kinds.items() if name not in own}
        return replace(self, scopes=(*self.scopes, own), kinds=kinds)

    def function(self, names: Iterable[str], kinds: Mapping[str, str] | None = None) -> Context:
        """The scope of a function inside this one."""
        inside = self.inner(names)
        known = {**inside.kinds, **(kinds or {})}
        return replace(inside, kinds=known, handles=False, temporaries=Temporaries())

    def is_local(self, name: str) -> bool:
        """Whether a name is local to a function around."""
        return any(name in scope for scope in self.scopes)

    def binding(self, name: str) -> Binding | None:
        """What a name that is not local stands for; None for built-in names."""
        return None if self.is_local(name) else self.modules.binding(self.module, name, self.within)

    def alias(self, name: str) -> ast.expr | None:
        """The type that a name stands for, if it is an alias of one."""
        return None if self.is_local(name) else self.modules.alias(self.module, name)

    def static(self, node: ast.expr) -> Binding | None:
        """What an expression stands for if that is known without running it: a name, or a module's name."""
        if isinstance(node, ast.Name):
            found = self.binding(node.id)
            if found is None and not self.is_local(node.id):
                return External(f"builtins.{node.id}")
            return found
        if isinstance(node, ast.Attribute):
            outer = self.static(node.value)
            if isinstance(outer, ModuleName):
                return self.modules.binding(outer.module, node.attr)
            if isinstance(outer, External) and f"{outer.name}" in EXTERNALS:
                return External(f"{outer.name}.{node.attr}")
        return None

    def static_text(self, found: Binding) -> str:
        """The JavaScript of a name known without running."""
        if isinstance(found, Global):
            return self.js_name(found)
        if isinstance(found, ModuleName):
            raise Untranslatable(f"the module {found.module} as a value")
        return external_text(found.name)

    def name(self, name: str) -> str:
        """The JavaScript of a name."""
        if self.is_local(name):
            return local_name(name)
        found = self.modules.binding(self.module, name, self.within)
        return self.static_text(found) if found else external_text(f"builtins.{name}")


def external_text(name: str) -> str:
    """The JavaScript of a name of another library."""
    if name in EXTERNALS:
        return EXTERNALS[name]
    first, _, rest = name.rpartition(".")
    if first == "builtins":
        if rest in BUILTINS:
            return BUILTINS[rest]
        if rest in EXCEPTIONS:
            return f"${rest}"
    elif first in EXTERNALS and rest in MEMBERS.get(first, (rest,)):
        return f"{EXTERNALS[first]}.{rest}"
    raise Untranslatable(f"{name} has no counterpart")
