# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions, what they are assigned to, and the parameters of functions with their defaults."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping

from browser.translation import context as runtime
from browser.translation import modules
from browser.translation.context import Context, constant, external_text, is_held_elsewhere, local_name, target_names

# --- calls: of classes, functions, methods, and of values known only at run time; keywords find their places ---


def call(node: ast.Call, context: Context) -> str:
    """Write a call."""
    function = node.func
    if isinstance(function, ast.Subscript) and isinstance(context.static(function.value), modules.External):
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
        if found == modules.External("builtins.isinstance"):
            return self._isinstance()
        if found == modules.External("builtins.next"):  # what a temporary iterator still holds open is closed,
            held = is_held_elsewhere(self._node.args[0])  # as Python does when it is forgotten
            return f"{'$next' if held else '$first'}({self._positional()})"
        if isinstance(found, modules.External):
            return self._external(external_text(found.name))
        if isinstance(found, modules.Global):
            return self._global(found)
        if isinstance(function, ast.Attribute):
            return self._method(function)
        return self._value(self._context.write(function))

    # --- what is called ---------------------------------------------------------------------------

    def _isinstance(self) -> str:
        value, node = self._node.args
        kinds = self._kinds(node, self._context)
        if ("$float" in kinds and "$int" not in kinds) or ("$list_of" in kinds) != ("$tuple_of" in kinds):
            raise modules.Untranslatable(f"what JavaScript cannot tell: {ast.unparse(self._node)}")
        return f"$isinstance({self._context.write(value)}, [{', '.join(kinds)}])"

    def _kinds(self, node: ast.expr, context: Context) -> list[str]:
        """Write the classes of a union, a tuple, or a name of one."""
        if isinstance(node, ast.BinOp):
            return [*self._kinds(node.left, context), *self._kinds(node.right, context)]
        if isinstance(node, ast.Tuple):
            return [kind for one in node.elts for kind in self._kinds(one, context)]
        found = context.static(node)
        if isinstance(found, modules.Global) and context.signatures.class_node(found) is None:
            (statement,) = context.modules.module(found.module).definitions[found.name]
            if not isinstance(statement, ast.Assign):
                raise modules.Untranslatable(ast.unparse(self._node))
            return self._kinds(statement.value, context.of_module(found.module))
        return [context.write(node)]

    def _external(self, function: str) -> str:
        node, write = self._node, self._context.write
        if function == "$partial":
            first, *rest = node.args
            inner = ", ".join(map(write, rest))
            splat = [one.value for one in node.keywords if one.arg is None]
            options = write(splat[0]) if splat else None
            return f"$partial({write(first)}, [{inner}], {options or self._keywords_as_object()})"
        if function == "$replace":
            return f"$replace({self._positional()}, {self._keywords_as_object()})"
        if function == "$cast":
            return write(node.args[1])
        if function == "$cache":
            raise modules.Untranslatable(f"a cache of a value: {ast.unparse(node)}")
        if function == "$dict_of" and node.keywords:
            begin = [f"...$items($dict_of({self._positional()}))"] if node.args else []
            return f"$dict([{_joined(*begin, self._pairs())}])"
        given = self._iterated() if function in runtime.ITERATING else self._positional()
        if not node.keywords:
            new = "new " if function in runtime.EXTERNAL_CLASSES or function[1:2].isupper() else ""
            return f"{new}{function}({given})"
        if function in runtime.KEYWORD_OPTIONS:
            return f"{function}({_joined(given, self._keywords_as_object())})"
        if function in runtime.PARAMETERS:
            return f"{function}({self._placed(modules.Signature(runtime.PARAMETERS[function]))})"
        raise modules.Untranslatable(f"keywords of {function}: {ast.unparse(node)}")

    def _global(self, found: modules.Global) -> str:
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

    def _is_found_at_run_time(self, signature: modules.Signature) -> bool:
        """Return whether ``**`` names parameters that are not known here."""
        if all(one.arg is not None for one in self._node.keywords):
            return False
        given = len(self._node.args) + sum(one.arg in signature.names for one in self._node.keywords)
        return signature.keywords is None or given < len(signature.names)

    def _method(self, function: ast.Attribute) -> str:
        context, name = self._context, function.attr
        is_super = isinstance(function.value, ast.Call) and ast.unparse(function.value) == "super()"
        owner = "super" if is_super else context.write(function.value)
        if name in runtime.BUILTIN_METHODS and not is_super:
            return self._builtin_method(owner, name)
        if name == "_replace":
            return f"$replace({owner}, {self._keywords_as_object()})"
        if name in runtime.MISSING_METHODS and name not in context.signatures.methods and not is_super:
            raise modules.Untranslatable(f"the method {name}: {ast.unparse(self._node)}")
        if not self._node.keywords:
            return f"{owner}.{name}({self._positional()})"
        if is_super:
            raise modules.Untranslatable(f"keywords of the method of a base: {ast.unparse(self._node)}")
        signature = context.signatures.agreed_method(name)
        if signature is not None and not self._is_found_at_run_time(signature):
            return f"{owner}.{name}({self._placed(signature)})"
        return self._method_with_keywords(owner, name)

    def _method_with_keywords(self, owner: str, name: str) -> str:
        return f"$kwm({owner}, {json.dumps(name)}, [{self._positional()}], {self._keywords_as_object()})"

    def _builtin_method(self, owner: str, name: str) -> str:
        """Write the call of a method that the runtime finds by its name."""
        quoted = json.dumps(name)
        if self._node.keywords:
            if name == "format":
                return f"$format_map({owner}, [{self._positional()}], $dict([{self._pairs()}]))"
            if name == "sort" and not self._node.args:
                return f"$list_sort({owner}, {self._keywords_as_object()})"
            if name in self._context.signatures.methods:
                return self._method_with_keywords(owner, name)
            if name in runtime.METHOD_PARAMETERS:
                return f"$m({owner}, {quoted}, {self._placed(modules.Signature(runtime.METHOD_PARAMETERS[name]))})"
            raise modules.Untranslatable(f"keywords of {name}: {ast.unparse(self._node)}")
        if name == "append":
            return f"$append({owner}, {self._positional()})"
        return f"$m({_joined(owner, quoted, self._positional())})"

    def _value(self, function: str) -> str:
        """Write the call of a value of which only the runtime knows what it is."""
        if self._node.keywords:
            return f"$kw({function}, [{self._positional()}], {self._keywords_as_object()})"
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
            texts.append(f"$kept({text})" if is_held_elsewhere(one) and not is_function and not is_number else text)
        return ", ".join(texts)

    def _keywords_as_object(self) -> str:
        """Write the keyword arguments as one object."""
        return f"{{{self._keywords('$object', '{}: {}')}}}"

    def _pairs(self) -> str:
        return self._keywords("$items", '["{}", {}]')

    def _keywords(self, spread: str, named: str) -> str:
        """Write the keywords, each as ``named`` says; ``spread`` makes such parts of a dictionary."""
        parts = []
        for one in self._node.keywords:
            value = self._context.write(one.value)
            parts.append(f"...{spread}({value})" if one.arg is None else named.format(one.arg, value))
        return ", ".join(parts)

    def _placed(self, signature: modules.Signature) -> str:
        """Write arguments in the order of the parameters; those not given are undefined."""
        node = self._node
        if not node.keywords:
            return self._positional()
        if signature.rest is not None:
            return _joined(self._positional(), f"new $Keywords({self._keywords_as_object()})")
        if any(isinstance(one, ast.Starred) for one in node.args):
            raise modules.Untranslatable(f"* with keywords: {ast.unparse(node)}")
        texts: dict[int, str] = dict(enumerate(map(self._context.write, node.args)))
        named: list[ast.keyword] = []
        placed: dict[int, ast.expr] = {}
        for one in node.keywords:
            place = signature.place(one.arg) if one.arg is not None else None
            if place is None:
                named.append(one)
            elif place < len(node.args):
                raise modules.Untranslatable(f"an argument twice: {ast.unparse(node)}")
            else:
                placed[place] = one.value
        texts |= self._in_order(placed, named)
        size = max(texts, default=-1) + 1
        if named:
            if signature.keywords is None:
                raise modules.Untranslatable(f"unknown keywords: {ast.unparse(node)}")
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
            raise modules.Untranslatable(f"the order of keywords: {ast.unparse(self._node)}")
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


# ---------------------------------------------------------------------------------------------------

OPERATORS: dict[type[ast.operator | ast.unaryop], str] = {
    ast.Add: "$add", ast.Sub: "$sub", ast.Mult: "$mul", ast.Div: "$div", ast.FloorDiv: "$floordiv",
    ast.Mod: "$mod", ast.Pow: "$pow", ast.BitAnd: "$and", ast.BitOr: "$or", ast.BitXor: "$xor",
    ast.LShift: "$shl", ast.RShift: "$shr", ast.USub: "$neg", ast.Invert: "$invert", ast.UAdd: "$pos",
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "$eq", ast.NotEq: "$ne", ast.Lt: "$lt", ast.LtE: "$le", ast.Gt: "$gt", ast.GtE: "$ge",
    ast.In: "$in", ast.NotIn: "!$in",
}  # fmt: skip
"""Functions of the runtime."""
_BOOLEAN_CALLS = frozenset(modules.External(f"builtins.{name}") for name in ("isinstance", "any", "all", "bool"))
_TYPES_WITH_METHODS = frozenset(modules.External(f"builtins.{name}") for name in ("str", "int", "list", "dict", "set"))


def expression(node: ast.expr, context: Context) -> str:
    """Write an expression."""
    text: str = _Writer(context).visit(node)
    return text


def condition(node: ast.expr, context: Context) -> str:
    """Write an expression of which only the truth matters."""
    if isinstance(node, ast.BoolOp):
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return f"({sign.join(condition(one, context) for one in node.values)})"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"!{condition(node.operand, context)}"
    text = expression(node, context)
    return text if is_boolean(node, context) else f"$t({text})"


def is_boolean(node: ast.expr, context: Context) -> bool:
    """Return whether an expression is true or false in JavaScript too."""
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 or all(isinstance(one, ast.Is | ast.IsNot | ast.In | ast.NotIn) for one in node.ops)
    if isinstance(node, ast.Call):
        return context.static(node.func) in _BOOLEAN_CALLS
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


class _Writer(ast.NodeVisitor):
    """Writes expressions of one context, each by the method of its class."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def _write(self, node: ast.expr) -> str:
        return expression(node, self._context)

    def generic_visit(self, node: ast.AST) -> str:
        raise modules.Untranslatable(f"{ast.unparse(node)} ({type(node).__name__})")

    # --- values -----------------------------------------------------------------------------------

    def visit_Constant(self, node: ast.Constant) -> str:
        return constant(node.value)

    def visit_Name(self, node: ast.Name) -> str:
        return self._context.name(node.id)

    def visit_Call(self, node: ast.Call) -> str:
        return call(node, self._context)

    def visit_Attribute(self, node: ast.Attribute) -> str:
        """Write a value of a module, a class or an object; methods are bound to their objects."""
        context, name = self._context, node.attr
        found = context.static(node)
        if found is not None:
            return context.static_text(found)
        outer = context.static(node.value)
        if outer in _TYPES_WITH_METHODS and name in runtime.BUILTIN_METHODS:
            return f"$method({json.dumps(name)})"
        if isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()":
            return f"super.{name}"
        if name.startswith("__"):
            return self._special(node)
        if isinstance(outer, modules.Global) and context.signatures.is_field(outer, name):
            raise modules.Untranslatable(f"a field of the class itself: {ast.unparse(node)}")
        owner = self._write(node.value)
        if name in context.signatures.methods or name in runtime.BUILTIN_METHODS:
            return f"$attr({owner}, {json.dumps(name)})"
        return f"{owner}.{name}"

    def _special(self, node: ast.Attribute) -> str:
        owner = node.value
        if node.attr == "__class__":
            return f"$type({self._write(owner)})"
        is_class = (
            (isinstance(owner, ast.Call) and self._context.static(owner.func) == modules.External("builtins.type"))
            or (isinstance(owner, ast.Attribute) and owner.attr == "__class__")
            or (isinstance(owner, ast.Name) and owner.id == "cls")
        )
        if node.attr == "__name__" and is_class:
            return f"$class_name({self._write(owner)})"
        raise modules.Untranslatable(ast.unparse(node))

    def visit_Subscript(self, node: ast.Subscript) -> str:
        return f"$get({self._write(node.value)}, {subscript(node.slice, self._context)})"

    def visit_JoinedStr(self, node: ast.JoinedStr) -> str:
        return f"({' + '.join(map(self._write, node.values))})" if node.values else '""'

    def visit_FormattedValue(self, node: ast.FormattedValue) -> str:
        value = self._write(node.value)
        if node.conversion == ord("r"):
            value = f"$repr({value})"
        elif node.conversion == ord("s"):
            value = f"$str({value})"
        elif node.conversion != -1:
            raise modules.Untranslatable(f"a conversion: {ast.unparse(node)}")
        return f"$format({value}, {self._write(node.format_spec)})" if node.format_spec else f"$str({value})"

    # --- containers -------------------------------------------------------------------------------

    def visit_Starred(self, node: ast.Starred) -> str:
        return f"...$iter({self._write(node.value)})"

    def visit_List(self, node: ast.List | ast.Tuple) -> str:
        return f"[{', '.join(map(self._write, node.elts))}]"

    visit_Tuple = visit_List

    def visit_Set(self, node: ast.Set) -> str:
        return f"$set_of([{', '.join(map(self._write, node.elts))}])"

    def visit_Dict(self, node: ast.Dict) -> str:
        parts = []
        for key, value in zip(node.keys, node.values, strict=True):
            text = self._write(value)
            parts.append(f"...$items({text})" if key is None else f"[{self._write(key)}, {text}]")
        return f"$dict([{', '.join(parts)}])"

    # --- operators --------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> str:
        return f"{operator_function(node.op)}({self._write(node.left)}, {self._write(node.right)})"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return f"!{condition(node.operand, self._context)}"
        operand = self._write(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value:
            return f"-{operand}"
        return f"{operator_function(node.op)}({operand})"

    def visit_BoolOp(self, node: ast.BoolOp) -> str:
        is_and = isinstance(node.op, ast.And)
        *first, last = node.values
        if all(is_boolean(one, self._context) for one in first):
            return f"({(' && ' if is_and else ' || ').join(map(self._write, node.values))})"
        text = self._write(last)
        for one in reversed(first):
            temporary = self._context.temporaries.new()
            value = f"$t({temporary} = {self._write(one)})"
            text = f"({value} ? {text} : {temporary})" if is_and else f"({value} ? {temporary} : {text})"
        return text

    def visit_Compare(self, node: ast.Compare) -> str:
        left = self._write(node.left)
        parts = []
        for number, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True), start=1):
            text = following = self._write(right)
            if number < len(node.ops):
                following = self._context.temporaries.new()
                text = f"({following} = {text})"
            if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Call | ast.GeneratorExp):
                text += ", true"  # nothing else holds the container
            if isinstance(operator, ast.Is | ast.IsNot):
                sign = "==" if text == "null" else "==="
                parts.append(f"({left} {sign if isinstance(operator, ast.Is) else '!' + sign[1:]} {text})")
            else:
                parts.append(f"{COMPARISONS[type(operator)]}({left}, {text})")
            left = following
        return parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        test = condition(node.test, self._context)
        return f"({test} ? {self._write(node.body)} : {self._write(node.orelse)})"

    # --- functions --------------------------------------------------------------------------------

    def visit_Lambda(self, node: ast.Lambda) -> str:
        if any(isinstance(one, ast.NamedExpr | ast.Yield | ast.YieldFrom) for one in ast.walk(node.body)):
            raise modules.Untranslatable(f":= or yield in a lambda: {ast.unparse(node)}")
        if node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
            raise modules.Untranslatable(f"* in a lambda: {ast.unparse(node)}")
        inside = self._context.function(modules.signature_of(node).names)
        body = expression(node.body, inside)
        declared = f"let {', '.join(inside.temporaries.names)}; " if inside.temporaries.used else ""
        defaults, with_defaults = inner_defaults(node.args, self._context)
        names = parameters(node.args, defaults)
        return f"({with_defaults(f'({names}) => {{ {declared}return {body}; }}')})"

    def visit_NamedExpr(self, node: ast.NamedExpr) -> str:
        return f"({assignment_target(node.target, self._context)} = {self._write(node.value)})"

    def visit_Yield(self, node: ast.Yield) -> str:
        return f"(yield {self._write(node.value) if node.value else 'null'})"

    def visit_YieldFrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* $iter({self._write(node.value)}))"

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.DictComp) -> str:
        """Write a comprehension as a function whose variables are shared by all rounds."""
        if isinstance(node, ast.DictComp):
            start, add, elements = "$dict([])", "set_", [node.key, node.value]
        elif isinstance(node, ast.SetComp):
            start, add, elements = "$set_of([])", "add", [node.elt]
        else:
            start, add, elements = "[]", "push", [node.elt]
        loops, source = self._loops(node.generators, elements, f"$r.{add}({{}});")
        return f"(($source) => {{ const $r = {start}; {loops} return $r; }})({source})"

    visit_SetComp = visit_DictComp = visit_ListComp

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> str:
        """Write a generator; what it goes through first is evaluated at once."""
        loops, source = self._loops(node.generators, [node.elt], "yield {};")
        return f"(function* ($source) {{ {loops} }})({source})"

    def _loops(self, generators: list[ast.comprehension], elements: list[ast.expr], form: str) -> tuple[str, str]:
        """Write the loops of a comprehension, and what the first goes through, which stands outside."""
        names = dict.fromkeys(name for one in generators for name in target_names(one.target))
        inside = self._context.function(names)
        text = form.format(", ".join(expression(one, inside) for one in elements))
        for number, one in reversed(list(enumerate(generators))):
            tests = "".join(f"if (!{condition(test, inside)}) continue; " for test in one.ifs)
            over = loop_iterable(one.iter, inside) if number else "$source"
            if isinstance(one.target, ast.Name):
                text = f"for ({local_name(one.target.id)} of {over}) {{ {tests}{text} }}"
            else:
                first = assignment(one.target, "$one", inside)
                text = f"for (const $one of {over}) {{ {first} {tests}{text} }}"
        variables = [*map(local_name, names), *inside.temporaries.names]
        declared = f"let {', '.join(variables)}; " if variables else ""
        return declared + text, loop_iterable(generators[0].iter, self._context)


def operator_function(operator: ast.operator | ast.unaryop) -> str:
    """Return the function of an operator."""
    found = OPERATORS.get(type(operator))
    if found is None:
        raise modules.Untranslatable(f"the operator {type(operator).__name__}")
    return found


def loop_iterable(node: ast.expr, context: Context) -> str:
    """Write what a loop goes through; what the program still holds is not closed."""
    return f"{'$kept' if is_held_elsewhere(node) else '$iter'}({expression(node, context)})"


def subscript(node: ast.expr, context: Context) -> str:
    """Write what stands between brackets."""
    if isinstance(node, ast.Slice):
        bounds = (node.lower, node.upper, node.step)
        texts = ["null" if one is None else expression(one, context) for one in bounds]
        return f"new Slice({', '.join(texts)})"
    if isinstance(node, ast.Tuple):
        return f"[{', '.join(subscript(one, context) for one in node.elts)}]"
    return expression(node, context)


# --- targets of assignments: names, attributes, items, and values that are taken apart -------------


def assignment(target: ast.expr, value: str, context: Context) -> str:
    """Write a value assigned to a target; it is evaluated before what the target consists of."""
    if isinstance(target, ast.Subscript):
        return f"$put({value}, {expression(target.value, context)}, {subscript(target.slice, context)});"
    if isinstance(target, ast.Tuple | ast.List):
        return _unpacking(target, value, context)
    if is_name_or_own_attribute(target) or not isinstance(target, ast.Attribute):
        return f"{assignment_target(target, context)} = {value};"
    temporary = context.temporaries.new()
    return f"{temporary} = {value}; {assignment_target(target, context)} = {temporary};"


def is_name_or_own_attribute(target: ast.expr) -> bool:
    """Return whether a target is a name, or an attribute of one: nothing has to be evaluated to find it."""
    return isinstance(target.value if isinstance(target, ast.Attribute) else target, ast.Name)


def assignment_target(target: ast.expr, context: Context) -> str:
    """Write a name or an attribute as the left side of an assignment."""
    if isinstance(target, ast.Attribute):
        owner = context.static(target.value)
        is_class = isinstance(owner, modules.Global) and context.signatures.class_node(owner) is not None
        if is_class or (isinstance(target.value, ast.Name) and target.value.id == "cls"):
            raise modules.Untranslatable(f"an attribute of a class is assigned: {ast.unparse(target)}")
        return f"{expression(target.value, context)}.{target.attr}"
    if not isinstance(target, ast.Name) or not context.is_local(target.id):
        raise modules.Untranslatable(f"{ast.unparse(target)} is assigned")
    return expression(target, context)


def _unpacking(target: ast.Tuple | ast.List, value: str, context: Context) -> str:
    starred = [number for number, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
    parts = [one.value if isinstance(one, ast.Starred) else one for one in target.elts]
    text = f"$unpack({value}, {len(parts)})"
    if starred:
        text = f"$unpack_rest({value}, {starred[0]}, {len(parts) - 1 - starred[0]})"
    if parts and all(map(is_name_or_own_attribute, parts)):
        return f"[{', '.join(assignment_target(one, context) for one in parts)}] = {text};"
    temporary = context.temporaries.new()
    inner = (assignment(one, f"{temporary}[{number}]", context) for number, one in enumerate(parts))
    return " ".join((f"{temporary} = {text};", *inner))


def augmented_assignment(node: ast.AugAssign, context: Context) -> str:
    """Write ``target += value`` and the like: the target is read before the value is evaluated.

    Either its value changes, or the list, set or dictionary that it is.
    """
    target, function = node.target, operator_function(node.op)
    value = expression(node.value, context)
    if isinstance(target, ast.Subscript):
        owner, key = context.temporaries.new(), context.temporaries.new()
        before = f"{owner} = {expression(target.value, context)}; {key} = {subscript(target.slice, context)}; "
        return f"{before}$put($changed({function}, $get({owner}, {key}), {value}), {owner}, {key});"
    old, before = assignment_target(target, context), ""
    if not is_name_or_own_attribute(target):
        assert isinstance(target, ast.Attribute)
        owner = context.temporaries.new()
        old, before = f"{owner}.{target.attr}", f"{owner} = {expression(target.value, context)}; "
    kind = _declared_kind(target, context)
    if kind == modules.LIST:
        if not isinstance(node.op, ast.Add):
            raise modules.Untranslatable(f"a list changes: {ast.unparse(node)}")
        return f"{before}$extend({old}, {value});"
    if kind in (modules.SET, modules.DICT):
        return f"{before}$renew({old}, {function}({old}, {value}));"
    if kind in (modules.PLAIN, modules.TUPLE, modules.FROZENSET):
        return f"{before}{old} = {function}({old}, {value});"
    added = node.value.body if isinstance(node.value, ast.IfExp) else node.value
    if isinstance(added, ast.List | ast.ListComp | ast.Tuple):
        raise modules.Untranslatable(f"a list or a tuple may change, use a method: {ast.unparse(node)}")
    return f"{before}{old} = $changed({function}, {old}, {value});"


def _declared_kind(target: ast.Name | ast.Attribute, context: Context) -> str:
    """Return the kind of what is assigned to (`modules.LIST` and the like), "" if it is unknown. Of an attribute of an
    unknown object: the kind that all attributes of its name have."""
    if isinstance(target, ast.Name):
        return context.kinds.get(target.id, "")
    owner = modules.class_name(context.kinds.get(target.value.id, "")) if isinstance(target.value, ast.Name) else None
    found = context.binding(owner) if owner else None
    if isinstance(found, modules.Global):
        return context.signatures.attribute_kind_of(found, target.attr)
    return context.signatures.attribute_kind(target.attr)


# --- parameters of functions, and their defaults, which are evaluated once -------------------------


def parameters(given: ast.arguments, defaults: Mapping[ast.expr, str], *, method: bool = False) -> str:
    """Write the parameters of a function; absent ones take their defaults."""
    plain = [*given.posonlyargs, *given.args]
    values = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    pairs = [*zip(plain, values, strict=True)][1 if method else 0 :]
    if not given.vararg:
        pairs += zip(given.kwonlyargs, given.kw_defaults, strict=True)
    texts = [local_name(one.arg) + (f" = {defaults[default]}" if default is not None else "") for one, default in pairs]
    if given.vararg:
        texts.append(f"...{local_name(given.vararg.arg)}")
    elif given.kwarg:
        texts.append(f"{local_name(given.kwarg.arg)} = $dict([])")
    return ", ".join(texts)


def defaults_of(given: ast.arguments) -> list[ast.expr]:
    """Return the defaults of parameters."""
    return [one for one in (*given.defaults, *given.kw_defaults) if one is not None]


def constant_defaults(given: ast.arguments, context: Context) -> Mapping[ast.expr, str]:
    """Write defaults of a function of the top level, or of a class: they do not change."""
    for one in defaults_of(given):
        if not is_unchanging(one, context):
            raise modules.Untranslatable(f"a default that is evaluated once: {ast.unparse(one)}")
    return {one: expression(one, context) for one in defaults_of(given)}


def inner_defaults(given: ast.arguments, context: Context) -> tuple[Mapping[ast.expr, str], Callable[[str], str]]:
    """Return an inner function's defaults, and what puts a call around its text that evaluates them once."""
    found: dict[ast.expr, str] = {}
    values: list[str] = []
    for one in defaults_of(given):
        if is_unchanging(one, context):
            found[one] = expression(one, context)
        else:
            found[one] = f"$default{len(values)}"
            values.append(expression(one, context))
    if not values:
        return found, lambda text: text
    names = ", ".join(f"$default{number}" for number in range(len(values)))
    return found, lambda text: f"(({names}) => {text})({', '.join(values)})"


def is_unchanging(node: ast.expr, context: Context) -> bool:
    """Return whether an expression has the same value, which cannot change, whenever it is evaluated."""
    match node:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()) | ast.Lambda(body=ast.Constant()):
            return True
        case ast.UnaryOp() | ast.Lambda():
            return False
        case ast.Call():
            is_set = context.static(node.func) == modules.External("builtins.frozenset") and not node.keywords
            return is_set and all(is_unchanging(one, context) for one in node.args)
        case ast.Tuple():
            return all(is_unchanging(one, context) for one in node.elts)
        case ast.BinOp():  # of numbers
            parts = (node.left, node.right)
            values = [one.value for one in parts if isinstance(one, ast.Constant)]
            has_number = any(isinstance(one, int | float) for one in values)
            return has_number and all(is_unchanging(one, context) for one in parts)
        case ast.Attribute() if context.static(node) is None:
            return isinstance(context.static(node.value), modules.Global)
    return isinstance(context.static(node), modules.Global | modules.External)
