# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls: of classes, functions, methods, and of values known only at run time; keywords find their places."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable

from browser.translation.modules import External, Global, Untranslatable
from browser.translation.signatures import Signature
from browser.translation.writer import (
    BUILTIN_METHODS,
    EXTERNAL_CLASSES,
    ITERATING,
    KEYWORD_OPTIONS,
    METHOD_PARAMETERS,
    MISSING_METHODS,
    PARAMETERS,
    Context,
    external_text,
    is_held,
)

_MEMBER, _PAIR = "{}: {}", '["{}", {}]'
"""A keyword of an object and of a list."""
Write = Callable[[ast.expr, Context], str]


def call(node: ast.Call, context: Context, write: Write) -> str:
    """A call as JavaScript; ``write`` writes an expression."""
    function = node.func
    if isinstance(function, ast.Subscript) and isinstance(context.static(function.value), External):
        node = ast.Call(function.value, node.args, node.keywords)  # as set[int]()
    return _Call(node, context, write).text()


class _Call:
    def __init__(self, node: ast.Call, context: Context, write: Write) -> None:
        self._node, self._context, self._write = node, context, write

    def text(self) -> str:
        function = self._node.func
        if isinstance(function, ast.Name) and function.id == "super":
            return "super"
        found = self._context.static(function)
        if isinstance(found, External) and found.name.startswith("builtins."):
            return self._builtin(found)
        if isinstance(found, External):
            return self._external(external_text(found.name))
        if isinstance(found, Global):
            return self._global(found)
        if isinstance(function, ast.Attribute):
            return self._method(function)
        return self._value(self._write(function, self._context))

    # --- what is called ---------------------------------------------------------------------------

    def _builtin(self, found: External) -> str:
        name = found.name.removeprefix("builtins.")
        if name == "super":
            return "super"
        if name == "next":
            return self._next()
        if name == "isinstance":
            return self._isinstance()
        return self._external(external_text(found.name))

    def _isinstance(self) -> str:
        value, node = self._node.args
        kinds = self._kinds(node)
        if ("$float" in kinds and "$int" not in kinds) or ("$list_of" in kinds) != ("$tuple_of" in kinds):
            raise Untranslatable(f"what JavaScript cannot tell: {ast.unparse(self._node)}")
        return f"$isinstance({self._write(value, self._context)}, [{', '.join(kinds)}])"

    def _kinds(self, node: ast.expr) -> list[str]:
        if isinstance(node, ast.BinOp):
            return [*self._kinds(node.left), *self._kinds(node.right)]
        if isinstance(node, ast.Tuple):
            return [kind for one in node.elts for kind in self._kinds(one)]
        found = self._context.static(node)
        if isinstance(found, Global) and self._context.signatures.class_node(found) is None:
            module = self._context.modules.module(found.module)
            (statement,) = module.definitions[found.name]
            if not isinstance(statement, ast.Assign):
                raise Untranslatable(ast.unparse(self._node))
            return _Call(self._node, self._context.of_module(found.module), self._write)._kinds(
                statement.value
            )
        return [self._write(node, self._context)]

    def _next(self) -> str:
        """What a temporary iterator still holds open is closed, as Python does when it is forgotten."""
        source = self._node.args[0]
        function = "$next" if is_held(source) else "$first"
        return f"{function}({self._positional()})"

    def _external(self, function: str) -> str:
        if function == "$partial":
            first, *rest = self._node.args
            inner = ", ".join(self._argument(one) for one in rest)
            splat = [one for one in self._node.keywords if one.arg is None]
            if splat:
                options = self._write(splat[0].value, self._context)
                return f"$partial({self._write(first, self._context)}, [{inner}], {options})"
            return f"$partial({self._write(first, self._context)}, [{inner}], {self._options()})"
        if function == "$replace":
            return f"$replace({self._positional()}, {self._options()})"
        if function == "$cast":
            return self._write(self._node.args[1], self._context)
        new = "new " if function in EXTERNAL_CLASSES or function[1:2].isupper() else ""
        if function == "$dict_of" and self._node.keywords:
            begin = [f"...$items($dict_of({self._positional()}))"] if self._node.args else []
            return f"$dict([{self._joined([*begin, self._pairs()[1:-1]])}])"
        if function == "$cache":
            raise Untranslatable(f"a cache of a value: {ast.unparse(self._node)}")
        given = self._iterated() if function in ITERATING else self._positional()
        if not self._node.keywords:
            return f"{new}{function}({given})"
        if function in KEYWORD_OPTIONS:
            return f"{function}({self._joined([given, self._options()])})"
        if function in PARAMETERS:
            return f"{function}({self._placed(Signature(PARAMETERS[function]))})"
        raise Untranslatable(f"keywords of {function}: {ast.unparse(self._node)}")

    def _global(self, found: Global) -> str:
        context = self._context
        name = context.js_name(found)
        if context.modules.is_absent(found):
            return f"{name}({self._positional()})"
        node = context.signatures.class_node(found)
        if node is not None and is_enum(context, found):
            return f"{name}.$of({self._positional()})"
        signature = context.signatures.of(found)
        new = "new " if node is not None else ""
        if signature is None:  # a value, or a kernel
            if not self._node.keywords and context.modules.module(found.module).is_kernel:
                made = self._is_named_tuple(found)
                return f"{'new ' if made else ''}{name}({self._positional()})"
            return self._value(name)
        if self._is_found_at_run_time(signature):
            return self._value(name)
        return f"{new}{name}({self._placed(signature)})"

    def _is_found_at_run_time(self, signature: Signature) -> bool:
        """Whether ``**`` names parameters that are not known here."""
        if all(one.arg is not None for one in self._node.keywords):
            return False
        given = len(self._node.args) + sum(one.arg in signature.names for one in self._node.keywords)
        return signature.keywords is None or given < len(signature.names)

    def _is_named_tuple(self, found: Global) -> bool:
        value = getattr(self._context.modules.module(found.module).values, found.name)
        return isinstance(value, type)

    def _method(self, function: ast.Attribute) -> str:
        context, name = self._context, function.attr
        is_super = isinstance(function.value, ast.Call) and ast.unparse(function.value) == "super()"
        owner = "super" if is_super else self._write(function.value, context)
        if name in BUILTIN_METHODS and not is_super:
            return self._builtin_method(owner, name)
        if name == "_replace":
            return f"$replace({owner}, {self._options()})"
        if name in MISSING_METHODS and name not in context.signatures.methods and not is_super:
            raise Untranslatable(f"the method {name}: {ast.unparse(self._node)}")
        if not self._node.keywords:
            return f"{owner}.{name}({self._positional()})"
        if is_super:
            raise Untranslatable(f"keywords of the method of a base: {ast.unparse(self._node)}")
        signature = context.signatures.agreed_method(name)
        if signature is not None and not self._is_found_at_run_time(signature):
            return f"{owner}.{name}({self._placed(signature)})"
        return f"$kwm({owner}, {json.dumps(name)}, [{self._positional()}], {self._options()})"

    def _builtin_method(self, owner: str, name: str) -> str:
        quoted = json.dumps(name)
        if self._node.keywords:
            if name == "format":
                return f"$format_map({owner}, [{self._positional()}], $dict({self._pairs()}))"
            if name == "sort" and not self._node.args:
                return f"$list_sort({owner}, {self._options()})"
            if name in self._context.signatures.methods:
                return f"$kwm({owner}, {quoted}, [{self._positional()}], {self._options()})"
            if name in METHOD_PARAMETERS:
                return f"$m({owner}, {quoted}, {self._placed(Signature(METHOD_PARAMETERS[name]))})"
            raise Untranslatable(f"keywords of {name}: {ast.unparse(self._node)}")
        if name == "append":
            return f"$append({owner}, {self._positional()})"
        return f"$m({self._joined([owner, quoted, self._positional()])})"

    def _value(self, function: str) -> str:
        if self._node.keywords:
            return f"$kw({function}, [{self._positional()}], {self._options()})"
        return f"$call({self._joined([function, self._positional()])})"

    # --- arguments --------------------------------------------------------------------------------

    def _positional(self) -> str:
        return ", ".join(self._argument(one) for one in self._node.args)

    def _iterated(self) -> str:
        """The arguments of a function that may leave an iterator unfinished."""
        return ", ".join(
            f"$kept({self._argument(one)})"
            if is_held(one) and not self._is_function(one)
            else self._argument(one)
            for one in self._node.args
        )

    def _is_function(self, node: ast.expr) -> bool:
        """Whether an argument is the function of map or the like, which is no iterator."""
        name = ast.unparse(self._node.func).rpartition(".")[2]
        has_function = name in ("map", "filter", "takewhile")
        is_number = name in ("islice", "enumerate") and node is not self._node.args[0]
        return is_number or (has_function and node is self._node.args[0])

    def _argument(self, node: ast.expr) -> str:
        return self._write(node, self._context)

    @staticmethod
    def _joined(parts: list[str]) -> str:
        return ", ".join(filter(None, parts))

    def _options(self) -> str:
        """The keywords as an object."""
        return f"{{{self._keywords('$object', _MEMBER)}}}"

    def _pairs(self) -> str:
        """The keywords as pairs of names and values."""
        return f"[{self._keywords('$items', _PAIR)}]"

    def _keywords(self, spread: str, named: str) -> str:
        """The keywords, each written as ``named`` says; ``spread`` makes such parts of a dictionary."""
        parts = []
        for one in self._node.keywords:
            value = self._write(one.value, self._context)
            parts.append(f"...{spread}({value})" if one.arg is None else named.format(one.arg, value))
        return ", ".join(parts)

    def _placed(self, signature: Signature) -> str:
        """Arguments in the order of the parameters; those not given are undefined."""
        node = self._node
        if not node.keywords:
            return self._positional()
        if signature.rest is not None:
            return self._joined([self._positional(), f"new $Keywords({self._options()})"])
        if any(isinstance(one, ast.Starred) for one in node.args):
            raise Untranslatable(f"* with keywords: {ast.unparse(node)}")
        texts: list[str | None] = [self._argument(one) for one in node.args]
        named: list[ast.keyword] = []
        placed: dict[int, ast.expr] = {}
        for one in node.keywords:
            place = signature.place(one.arg) if one.arg is not None else None
            if place is None:
                named.append(one)
            elif place < len(node.args):
                raise Untranslatable(f"an argument twice: {ast.unparse(node)}")
            else:
                placed[place] = one.value
        values = self._in_order(placed, named)
        for place, text in values.items():
            texts += [None] * (place + 1 - len(texts))
            texts[place] = text
        if named:
            if signature.keywords is None:
                raise Untranslatable(f"unknown keywords: {ast.unparse(node)}")
            texts += [None] * (len(signature.names) - len(texts))
            inner = _Call(ast.Call(node.func, [], named), self._context, self._write)
            texts.append(f"$dict({inner._pairs()})")
        return ", ".join("undefined" if text is None else text for text in texts)

    def _in_order(self, placed: dict[int, ast.expr], named: list[ast.keyword]) -> dict[int, str]:
        """The texts of keywords by their places: evaluated as they are written, not as they are placed."""
        texts = {place: self._argument(value) for place, value in placed.items()}
        order = [one.value for one in self._node.keywords]
        following = [placed[place] for place in sorted(placed)] + [one.value for one in named]
        effects = [one for one in order if not _is_pure(one)]
        if effects == [one for one in following if not _is_pure(one)]:
            return texts
        if named:
            raise Untranslatable(f"the order of keywords: {ast.unparse(self._node)}")
        before = []
        for place, value in placed.items():
            if not _is_pure(value):
                temporary = self._context.temporaries.new()
                before.append(f"{temporary} = {texts[place]}")
                texts[place] = temporary
        first = min(placed)
        texts[first] = f"({', '.join([*before, texts[first]])})"
        return texts


def _is_pure(node: ast.expr) -> bool:
    """Whether it makes no difference when an expression is evaluated."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_pure, node.elts))
    return isinstance(node, ast.Constant | ast.Name | ast.Lambda)


def is_enum(context: Context, found: Global) -> bool:
    """Whether a class is an enumeration."""
    return any(
        isinstance(one, External) and one.name.startswith("enum.") for one in context.signatures.bases(found)
    )
