# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls: of classes, functions, methods, and of values known only at run time; keywords find their places."""

from __future__ import annotations

import ast
import json

from browser.translation.context import (
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
from browser.translation.modules import External, Global, Signature, Untranslatable


def call(node: ast.Call, context: Context) -> str:
    """Write a call."""
    function = node.func
    if isinstance(function, ast.Subscript) and isinstance(context.static(function.value), External):
        node = ast.Call(function.value, node.args, node.keywords)  # as set[int]()
    return _Call(node, context).text()


class _Call:
    def __init__(self, node: ast.Call, context: Context) -> None:
        self._node, self._context = node, context

    def text(self) -> str:
        function = self._node.func
        found = self._context.static(function)
        if isinstance(function, ast.Name) and function.id == "super":
            return "super"
        if found == External("builtins.isinstance"):
            return self._isinstance()
        if found == External("builtins.next"):  # what a temporary iterator still holds open is closed,
            held = is_held(self._node.args[0])  # as Python does when it is forgotten
            return f"{'$next' if held else '$first'}({self._positional()})"
        if isinstance(found, External):
            return self._external(external_text(found.name))
        if isinstance(found, Global):
            return self._global(found)
        if isinstance(function, ast.Attribute):
            return self._method(function)
        return self._value(self._context.write(function))

    # --- what is called ---------------------------------------------------------------------------

    def _isinstance(self) -> str:
        value, node = self._node.args
        kinds = self._kinds(node, self._context)
        if ("$float" in kinds and "$int" not in kinds) or ("$list_of" in kinds) != ("$tuple_of" in kinds):
            raise Untranslatable(f"what JavaScript cannot tell: {ast.unparse(self._node)}")
        return f"$isinstance({self._context.write(value)}, [{', '.join(kinds)}])"

    def _kinds(self, node: ast.expr, context: Context) -> list[str]:
        """Write the classes of a union, a tuple, or a name of one."""
        if isinstance(node, ast.BinOp):
            return [*self._kinds(node.left, context), *self._kinds(node.right, context)]
        if isinstance(node, ast.Tuple):
            return [kind for one in node.elts for kind in self._kinds(one, context)]
        found = context.static(node)
        if isinstance(found, Global) and context.signatures.class_node(found) is None:
            (statement,) = context.modules.module(found.module).definitions[found.name]
            if not isinstance(statement, ast.Assign):
                raise Untranslatable(ast.unparse(self._node))
            return self._kinds(statement.value, context.of_module(found.module))
        return [context.write(node)]

    def _external(self, function: str) -> str:
        node, write = self._node, self._context.write
        if function == "$partial":
            first, *rest = node.args
            inner = ", ".join(map(write, rest))
            splat = [one.value for one in node.keywords if one.arg is None]
            options = write(splat[0]) if splat else None
            return f"$partial({write(first)}, [{inner}], {options or self._options()})"
        if function == "$replace":
            return f"$replace({self._positional()}, {self._options()})"
        if function == "$cast":
            return write(node.args[1])
        if function == "$cache":
            raise Untranslatable(f"a cache of a value: {ast.unparse(node)}")
        if function == "$dict_of" and node.keywords:
            begin = [f"...$items($dict_of({self._positional()}))"] if node.args else []
            return f"$dict([{_joined(*begin, self._pairs())}])"
        given = self._iterated() if function in ITERATING else self._positional()
        if not node.keywords:
            new = "new " if function in EXTERNAL_CLASSES or function[1:2].isupper() else ""
            return f"{new}{function}({given})"
        if function in KEYWORD_OPTIONS:
            return f"{function}({_joined(given, self._options())})"
        if function in PARAMETERS:
            return f"{function}({self._placed(Signature(PARAMETERS[function]))})"
        raise Untranslatable(f"keywords of {function}: {ast.unparse(node)}")

    def _global(self, found: Global) -> str:
        context = self._context
        name = context.js_name(found)
        if context.modules.is_absent(found):
            return f"{name}({self._positional()})"
        if context.signatures.is_enum(found):
            return f"{name}.$of({self._positional()})"
        signature = context.signatures.of(found)
        if signature is None:  # a value, or a kernel
            module = context.modules.module(found.module)
            if self._node.keywords or not module.is_kernel:
                return self._value(name)
            is_named_tuple = isinstance(getattr(module.values, found.name), type)
            return f"{'new ' if is_named_tuple else ''}{name}({self._positional()})"
        if self._is_found_at_run_time(signature):
            return self._value(name)
        new = "new " if context.signatures.class_node(found) is not None else ""
        return f"{new}{name}({self._placed(signature)})"

    def _is_found_at_run_time(self, signature: Signature) -> bool:
        """Return whether ``**`` names parameters that are not known here."""
        if all(one.arg is not None for one in self._node.keywords):
            return False
        given = len(self._node.args) + sum(one.arg in signature.names for one in self._node.keywords)
        return signature.keywords is None or given < len(signature.names)

    def _method(self, function: ast.Attribute) -> str:
        context, name = self._context, function.attr
        is_super = isinstance(function.value, ast.Call) and ast.unparse(function.value) == "super()"
        owner = "super" if is_super else context.write(function.value)
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
        return self._method_with_keywords(owner, name)

    def _method_with_keywords(self, owner: str, name: str) -> str:
        """Write the call of a method whose parameters are found at run time."""
        return f"$kwm({owner}, {json.dumps(name)}, [{self._positional()}], {self._options()})"

    def _builtin_method(self, owner: str, name: str) -> str:
        """Write the call of a method that the runtime finds by its name."""
        quoted = json.dumps(name)
        if self._node.keywords:
            if name == "format":
                return f"$format_map({owner}, [{self._positional()}], $dict([{self._pairs()}]))"
            if name == "sort" and not self._node.args:
                return f"$list_sort({owner}, {self._options()})"
            if name in self._context.signatures.methods:
                return self._method_with_keywords(owner, name)
            if name in METHOD_PARAMETERS:
                return f"$m({owner}, {quoted}, {self._placed(Signature(METHOD_PARAMETERS[name]))})"
            raise Untranslatable(f"keywords of {name}: {ast.unparse(self._node)}")
        if name == "append":
            return f"$append({owner}, {self._positional()})"
        return f"$m({_joined(owner, quoted, self._positional())})"

    def _value(self, function: str) -> str:
        """Write the call of a value of which only the runtime knows what it is."""
        if self._node.keywords:
            return f"$kw({function}, [{self._positional()}], {self._options()})"
        return f"$call({_joined(function, self._positional())})"

    # --- arguments --------------------------------------------------------------------------------

    def _positional(self) -> str:
        return ", ".join(map(self._context.write, self._node.args))

    def _iterated(self) -> str:
        """Write the arguments of a function that may leave an iterator unfinished."""
        name = ast.unparse(self._node.func).rpartition(".")[2]
        texts = []
        for number, one in enumerate(self._node.args):
            is_function = number == 0 and name in ("map", "filter", "takewhile")
            is_number = number > 0 and name in ("islice", "enumerate")
            text = self._context.write(one)
            texts.append(f"$kept({text})" if is_held(one) and not is_function and not is_number else text)
        return ", ".join(texts)

    def _options(self) -> str:
        """Write the keywords as an object."""
        return f"{{{self._keywords('$object', '{}: {}')}}}"

    def _pairs(self) -> str:
        """Write the keywords as pairs of names and values."""
        return self._keywords("$items", '["{}", {}]')

    def _keywords(self, spread: str, named: str) -> str:
        """Write the keywords, each as ``named`` says; ``spread`` makes such parts of a dictionary."""
        parts = []
        for one in self._node.keywords:
            value = self._context.write(one.value)
            parts.append(f"...{spread}({value})" if one.arg is None else named.format(one.arg, value))
        return ", ".join(parts)

    def _placed(self, signature: Signature) -> str:
        """Write arguments in the order of the parameters; those not given are undefined."""
        node = self._node
        if not node.keywords:
            return self._positional()
        if signature.rest is not None:
            return _joined(self._positional(), f"new $Keywords({self._options()})")
        if any(isinstance(one, ast.Starred) for one in node.args):
            raise Untranslatable(f"* with keywords: {ast.unparse(node)}")
        texts: dict[int, str] = dict(enumerate(map(self._context.write, node.args)))
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
        texts |= self._in_order(placed, named)
        size = max(texts, default=-1) + 1
        if named:
            if signature.keywords is None:
                raise Untranslatable(f"unknown keywords: {ast.unparse(node)}")
            size = max(size, len(signature.names))
            texts[size] = f"$dict([{_Call(ast.Call(node.func, [], named), self._context)._pairs()}])"
            size += 1
        return ", ".join(texts.get(number, "undefined") for number in range(size))

    def _in_order(self, placed: dict[int, ast.expr], named: list[ast.keyword]) -> dict[int, str]:
        """Write keywords by their places: evaluated as they are written, not as they are placed."""
        texts = {place: self._context.write(value) for place, value in placed.items()}
        order = [one.value for one in self._node.keywords]
        following = [placed[place] for place in sorted(placed)] + [one.value for one in named]
        if list(filter(_has_effects, order)) == list(filter(_has_effects, following)):
            return texts
        if named:
            raise Untranslatable(f"the order of keywords: {ast.unparse(self._node)}")
        before = []
        for place, value in placed.items():
            if _has_effects(value):
                temporary = self._context.temporaries.new()
                before.append(f"{temporary} = {texts[place]}")
                texts[place] = temporary
        first = min(placed)
        texts[first] = f"({', '.join([*before, texts[first]])})"
        return texts


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _has_effects(node: ast.expr) -> bool:
    """Return whether it may make a difference when an expression is evaluated."""
    if isinstance(node, ast.Tuple):
        return any(map(_has_effects, node.elts))
    return not isinstance(node, ast.Constant | ast.Name | ast.Lambda)
