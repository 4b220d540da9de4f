"""The state of a translation: the module, the function around, and the names in sight."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from tsume.browser.translation.externals import BUILTINS, EXCEPTIONS, EXTERNALS
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

    ``scopes`` are the local names, of the innermost function last. ``lists`` are local names that are lists.
    ``owner``: inside a method, the name of ``self``. ``inside``: temporaries of the function around; None at
    the top level, where they are not to be had.
    """

    modules: Modules
    signatures: Signatures
    js_name: Callable[[Global], str]
    module: str = ""
    definition: str = ""
    scopes: tuple[frozenset[str], ...] = ()
    lists: frozenset[str] = frozenset()
    temporaries: Temporaries = field(default_factory=Temporaries)

    def of_definition(self, one: Global) -> Context:
        """The top level of a definition."""
        return replace(
            self,
            module=one.module,
            definition=one.name,
            scopes=(),
            lists=frozenset(),
            temporaries=Temporaries(),
        )

    def inner(self, names: Iterable[str], lists: Iterable[str] = ()) -> Context:
        """A scope inside this one with names of its own; the temporaries stay the function's."""
        return replace(self, scopes=(*self.scopes, frozenset(names)), lists=self.lists | frozenset(lists))

    def function(self, names: Iterable[str], lists: Iterable[str] = ()) -> Context:
        """The scope of a function inside this one."""
        return replace(self.inner(names, lists), temporaries=Temporaries())

    def is_local(self, name: str) -> bool:
        """Whether a name is local to a function around."""
        return any(name in scope for scope in self.scopes)

    def binding(self, name: str) -> Binding | None:
        """What a name that is not local stands for; None for built-in names."""
        return None if self.is_local(name) else self.modules.binding(self.module, name, self.definition)

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
        found = self.modules.binding(self.module, name, self.definition)
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
    elif first in EXTERNALS:
        return f"{EXTERNALS[first]}.{rest}"
    raise Untranslatable(f"{name} has no counterpart")
