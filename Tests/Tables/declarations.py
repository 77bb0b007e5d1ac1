"""Declarations that are rows of the tables Tests/Tables/*/*.txt. A table FOLDER/NAME.txt becomes
Sources/Apple/FOLDER/Generated/NAME.swift.

A table consists of the file's imports and of blocks. An empty line ends a block, a line that starts with # is a comment,
and a line that is indented continues the line before it. A block has a line that says what it declares, and rows:

    NAME | DOC                   a member without a value, or, with commas, several cases of an enumeration
    NAME: VALUE | DOC            a member with a value

Blocks:

    modifiers TYPE KIND          methods that return the value itself. A row is the signature without `func`. The mark is
                                 #_ignored("KIND:NAME"), and the doc says that Linux ignores the method
    styles PROTOCOL MODIFIER N   a style's protocol, the modifier that sets the style of N, and a type with a short name
                                 in each row: TYPE.NAME
    constants OWNER = VALUE      static members of a type. VALUE may contain {name}, {value}, {doc}, and {words}: the
                                 words of the name. A doc in the block's second line applies to each name of the rows
    constants OWNER: TYPE = …    as computed properties
    attributes TYPE              attributes of a search item
    markers PROTOCOL             protocols of intents that refine PROTOCOL and require nothing
    conformances                 the names of the protocols of intents that MarkerProtocols reports
    comparators                  subclasses of EntityQueryComparator. The value is the type and the number of operands

These declare a type, and their second line is its doc:

    enum TYPE: CONFORMANCES      the rows are the cases
    options TYPE: RAW            an option set
    struct TYPE: CONFORMANCES    a type without properties; its constants, and functions that return it
    named TYPE: CONFORMANCES     a type with one property, the name of the constant"""
import pathlib
from .swift import call, doc, escaped, extension, header, indented, split, words

folder = pathlib.Path(__file__).resolve().parent


def row(line):
    """The name, the value and the doc of a row."""
    entry, _, text = (part.strip() for part in line.partition(" | "))
    if not text:
        raise SystemExit(f"a row of a table has no doc comment: {line}")
    name, _, value = entry.partition(": ")
    # The colons of a signature belong to its parameters.
    return (entry, "", text) if "(" in name or "<" in name else (name, value, text)


def declaration(name, lines, depth=0):
    """A type's declaration, in an extension of the type that contains it."""
    owner, _, _ = name.rpartition(".")
    return f"extension {owner} {{\n{indented(lines)}}}\n" if owner else indented(lines, 0)


def type_declaration(keyword, header_text, text, body):
    name, _, conformances = header_text.partition(": ")
    short = name.rpartition(".")[2]
    depth = 1 if "." in name else 0
    lines = doc(text, f"Apple's {name} page.", depth) + [f"public {keyword} {short}: {conformances} {{"]
    return declaration(name, lines + [f"    {line}" if line else "" for line in body] + ["}"])


def constant(name, value, text, depth=1):
    lines = doc(text, depth=depth) + [f"public static let {escaped(name)} = {value}"]
    if len(lines[-1]) + 4 * depth > 120:
        start, _, arguments = lines.pop().partition("(")
        lines += call(start, split(arguments.removesuffix(")")), "", depth)
    return lines


# Blocks. Each function receives the rest of the block's first line, and the other lines.


def enum(rest, lines):
    body = []
    for names, _, text in map(row, lines[1:]):
        body += doc(text, depth=2) + [f"case {', '.join(map(escaped, names.split(', ')))}"]
    return type_declaration("enum", rest, lines[0], body)


def options(rest, lines):
    name, _, raw = rest.partition(": ")
    short = name.rpartition(".")[2]
    body = [f"public let rawValue: {raw}", "", f"public init(rawValue: {raw}) {{", "    self.rawValue = rawValue", "}", ""]
    for option, value, text in map(row, lines[1:]):
        value = f": {short} = {value}" if value.startswith("[") else f" = {short}(rawValue: {value})"
        body += doc(text, depth=2) + [f"public static let {option}{value}"]
    return type_declaration("struct", f"{name}: OptionSet, Sendable", lines[0], body)


def struct(rest, lines, argument="", first=()):
    name = rest.partition(": ")[0]
    body = list(first)
    for member, _, text in map(row, lines[1:]):
        if "(" in member:
            start, _, parameters = member.partition("(")
            body += [""] + doc(text, depth=2)
            body += call(f"public static func {start}", split(parameters.removesuffix(")")), f" -> {name} {{ {name}() }}", 2)
        else:
            body += constant(member, f"{name}({argument.format(name=member)})", text, 2)
    return type_declaration("struct", rest, lines[0], body)


def named(rest, lines):
    return struct(rest, lines, 'name: "{name}"', ["let name: String", ""])


def constants(rest, lines):
    owner, _, template = rest.partition(" = ")
    owner, _, type = owner.partition(": ")
    common = lines.pop(0).removeprefix("doc: ") if lines[0].startswith("doc: ") else ""
    rows = [(name, "", common) for line in lines for name in line.split()] if common else map(row, lines)
    body = []
    for name, value, text in rows:
        facts = {"name": name, "value": value, "words": words(name)}
        text = text.format(**facts) if common else text
        value = template.format(doc=text, **facts)
        if type:
            body += doc(text) + [f"public static var {escaped(name)}: {type} {{ {value} }}"]
        else:
            body += constant(name, value, text)
    return extension(owner, [body])


def modifiers(rest, lines):
    type, _, kind = rest.rpartition(" ")
    members = []
    for signature, _, text in map(row, lines):
        start, _, parameters = signature.partition("(")
        mark = f'_ ignored: _IgnoredUse = #_ignored("{kind}:{start.partition("<")[0]}")'
        text = text if "on Linux" in text else f"{text} Ignored on Linux."
        isolation = "nonisolated " if type.startswith("some ") else ""
        members.append(doc(text) + call(f"{isolation}public func {start}", split(parameters.removesuffix(")")) + [mark],
                                        f" -> {type} {{ self }}"))
    return extension(type.removeprefix("some "), members)


def styles(rest, lines):
    protocol, modifier, controls = rest.split(" ", 2)
    parts = [indented(doc(f"A style for {controls}. Ignored on Linux.", f"Apple's {protocol} page.", 0)
                      + [f"public protocol {protocol} {{}}"], 0)]
    for entry, _, text in map(row, lines):
        type, _, name = entry.partition(".")
        parts.append(indented(doc(text, depth=0) + [
            f"public struct {type}: {protocol}, Sendable {{", "    /// Creates the style.", "    public init() {}", "}"], 0))
        parts.append(extension(f"{protocol} where Self == {type}", [
            doc(text) + [f"public static var {escaped(name)}: Self {{ Self() }}"]]))
    parts.append(modifiers("some View style", [f"{modifier}<Style: {protocol}>(_ style: Style) | Sets the style of {controls}."]))
    return "\n".join(parts)


def attributes(rest, lines):
    return extension("CSSearchableItemAttributeSet", [
        doc(text) + [f"@StoredByName public var {name}: {rest}"] for name, _, text in map(row, lines)])


def markers(rest, lines):
    return "\n".join(indented(doc(text, f"Apple's {name} page.", 0) + [
        "@_alwaysEmitConformanceMetadata", f"public protocol {name}: {rest} {{}}"], 0) for name, _, text in map(row, lines))


def conformances(_, lines):
    body = ["/// Apple's protocols that a catalogue names.", "static let conformances = ["]
    body += [f"    Marker(existential: (any {name}).self) {{ $0 is any {name}.Type }}," for name in " ".join(lines).split()]
    return extension("MarkerProtocols", [body + ["]"]])


COMPARATOR = """\
/// A comparator that {doc}.
///
/// Source: Apple's {type} page.
public final class {type}<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{{
    /// The closure that converts a comparison with {count} to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable ({operands}) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with {count} to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable ({operands}) -> ComparatorMappingType) {{
        self.mappingTransform = mappingTransform
        super.init(name: "{name}", with: {operand}.self{further}) {{ mappingTransform({values}) }}
    }}

    /// - Parameter mappingTransform: A closure that converts a comparison with {count} to the query's
    ///   `ComparatorMappingType`.
{positional}
        self.init(mappingTransform: mappingTransform)
    }}
}}
"""


def comparators(_, lines):
    texts = []
    for type, value, text in map(row, lines):
        operand, count = value.split()
        count = int(count)
        name = type.removesuffix("Comparator")
        operands = ", ".join([f"Value.{operand}"] * count)
        parameter = f"_ mappingTransform: @escaping @Sendable ({operands}) -> ComparatorMappingType"
        texts.append(COMPARATOR.format(
            doc=text, type=type, name=name[0].lower() + name[1:], operand=f"Value.{operand}", operands=operands,
            count="one value" if count == 1 else "two values", further="" if count == 1 else f", count: {count}",
            values=", ".join(f"$0[{index}]" for index in range(count)),
            positional=indented(call("public convenience init", [parameter], " {")).removesuffix("\n")))
    return "\n".join(texts)


BLOCKS = {function.__name__: function for function in (
    enum, options, struct, named, constants, modifiers, styles, attributes, markers, conformances, comparators)}


def blocks(text):
    """The blocks of a table, as lists of lines."""
    for block in text.split("\n\n"):
        lines = []
        for line in block.splitlines():
            if line.startswith(" "):
                lines[-1] += " " + line.strip()
            elif line and not line.startswith("#"):
                lines.append(line)
        if lines:
            yield lines


def generated(table):
    parts = []
    for first, *lines in blocks(table.read_text()):
        kind, _, rest = first.partition(" ")
        if kind in ("import", "public"):
            parts.append(indented([first, *lines], 0))
        elif kind in BLOCKS:
            parts.append(BLOCKS[kind](rest, lines))
        else:
            raise SystemExit(f"{table}: '{kind}' is not a block. Tests/Tables/declarations.py lists the blocks.")
    return header(table.relative_to(folder)) + "\n".join(parts)


def files():
    """The text of each generated file below Sources/Apple."""
    return {f"{table.parent.name}/Generated/{table.stem}.swift": generated(table) for table in sorted(folder.glob("*/*.txt"))}
