"""The initialisers of IntentParameter, one for each combination of options."""
import textwrap
from .swift import extension, header

# The parameters of the initialisers. Each has its declaration, its meaning, and the trait that it sets. "name:variant" is
# another form of a parameter.
PARAMETERS = {
    "title": ("title: LocalizedStringResource? = nil", "The display name. If nil, it is derived from the name of the property.", "title: title"),
    "title:required": ("title: LocalizedStringResource", "The display name.", "title: title"),
    "description": ("description: LocalizedStringResource? = nil", "A description of what the value is used for.", "summary: description"),
    "default": ("default defaultValue: Value.UnwrappedType? = nil", "The value to use when the caller provides none.", None),
    "defaultValue": ("defaultValue: Double? = nil", "The value to use when the caller provides none.", None),
    "inputOptions": ("inputOptions: String.IntentInputOptions?", "Ignored on Linux.", None),
    "displayName": ("displayName: Bool.IntentDisplayName", "The display names for true and false.", "boolNames: displayName.names"),
    "kind": ("kind: DateKind", "The part of a date that a question asks for.", "dateKind: kind.wireKind"),
    "mode": ("mode: IntentPerson.ParameterMode", "Ignored on Linux.", None),
    "controlStyle:Int": ("controlStyle: IntControlStyle", "Ignored on Linux.", None),
    "controlStyle:Int?": ("controlStyle: IntControlStyle = .stepper", "Ignored on Linux.", None),
    "controlStyle:Double": ("controlStyle: DoubleControlStyle", "Ignored on Linux.", None),
    "controlStyle:Double?": ("controlStyle: DoubleControlStyle = .stepper", "Ignored on Linux.", None),
    "inclusiveRange:Int": ("inclusiveRange: InclusiveRange<Int>?", "The smallest and the largest valid number. If nil, the number has no bounds.", "range: inclusiveRange.map { NumberRange($0) }"),
    "inclusiveRange:Double": ("inclusiveRange: InclusiveRange<Double>?", "The smallest and the largest valid number. If nil, the number has no bounds.", "range: inclusiveRange.map { NumberRange($0) }"),
    "currencyCodes": ("currencyCodes: [String]", "The ISO 4217 codes of the permitted currencies, such as `EUR`.", "type: Self.amount(in: currencyCodes)"),
    "supportedValues": ("supportedValues: [Value.ValueType]", "The permitted cases.", "type: Self.subset(supportedValues)"),
    "supportedContentTypes": ("supportedContentTypes: [UTType]", "The permitted types of files. If empty, all types are permitted.", "contentTypes: supportedContentTypes"),
    "supportedContentTypes:entity": ("supportedContentTypes: [UTType]?", "Ignored on Linux.", None),
    "supportedTypeIdentifiers": ("supportedTypeIdentifiers: [String]", "The permitted file types, such as `public.png`. If empty, all types are permitted.", "contentTypes: supportedTypeIdentifiers.compactMap { UTType($0) }"),
    "defaultUnit": ("defaultUnit: Unit", "The unit that applies to a number without a unit.", "defaultUnit: defaultUnit.symbol"),
    "defaultUnitAdjustForLocale": ("defaultUnitAdjustForLocale: Bool = false", "Ignored on Linux.", None),
    "unit": ("unit: Unit", "The unit that applies to a number without a unit.", "defaultUnit: unit.symbol"),
    "unitAdjustForLocale": ("unitAdjustForLocale: Bool = false", "Ignored on Linux.", None),
    "supportsNegativeNumbers": ("supportsNegativeNumbers: Bool = true", "If false, negative values are rejected.", "isNonNegative: !supportsNegativeNumbers"),
    "supportsNegativeNumbers:required": ("supportsNegativeNumbers: Bool", "If false, negative values are rejected.", "isNonNegative: !supportsNegativeNumbers"),
    "size": ("size: IntentCollectionSize", "The permitted number of elements in the list.", "size: size"),
    "size:widget": ("size: [IntentWidgetFamily: IntentCollectionSize]", "Ignored on Linux.", None),
    "requestValueDialog": ("requestValueDialog: IntentDialog? = nil", "The question to ask when the value is missing. If nil, the title is used.", "question: requestValueDialog"),
    "requestDisambiguationDialog": ("requestDisambiguationDialog: IntentDialog? = nil", "The question to ask when several values match; nil for `requestValueDialog`.", "disambiguation: requestDisambiguationDialog"),
    "requestDisambiguationDialog:required": ("requestDisambiguationDialog: IntentDialog?", "The question to ask when several values match; nil for `requestValueDialog`.", "disambiguation: requestDisambiguationDialog"),
    "inputConnectionBehavior": ("inputConnectionBehavior: InputConnectionBehavior = .default", "Ignored on Linux.", None),
    "optionsProvider": ("optionsProvider: OptionsProvider", "The provider of the values from which to choose.", "options: OptionsSource(optionsProvider)"),
    "query": ("query: Query", "The query for the entities from which to choose.", "options: OptionsSource(query)"),
    "resolvers": ("@ResolverSpecificationBuilder<Value.UnwrappedType> resolvers: @escaping @Sendable () -> Specification", "The resolvers that convert values of other types.", "resolvers: ResolverSource(resolvers)"),
}

# The generic parameters that a parameter needs.
GENERICS = {
    "optionsProvider": "OptionsProvider: DynamicOptionsProvider",
    "query": "Query: EntityQuery",
    "resolvers": "Specification: ResolverSpecification",
    "defaultUnit": "Unit: Dimension",
    "unit": "Unit: Dimension",
}

# The order of ParameterTraits' initialiser.
TRAITS = ["title", "summary", "question", "disambiguation", "range", "size", "type", "contentTypes", "dateKind", "boolNames",
          "defaultUnit", "isNonNegative", "options", "resolvers"]

HEAD = "title description default"
ASK = "requestValueDialog inputConnectionBehavior"
ASK_BOTH = "requestValueDialog requestDisambiguationDialog inputConnectionBehavior"
MEASURE = "where Value.ValueType == Measurement<Unit>, Value.UnwrappedType == Measurement<Unit>"
DEFAULT = "defaultValue"

# The table of initialisers: for each constraint on the extension, the summary and the parameters of each initialiser.
TABLE = {
    "": [
        ("Creates a parameter with a title.", f"title:required description default {ASK}"),
        ("Creates a parameter with a title that is derived from the name of the property.", f"description default {ASK}"),
        ("Creates a parameter with a question that is asked when several values match.",
         f"{HEAD} requestValueDialog requestDisambiguationDialog:required inputConnectionBehavior"),
        ("Creates a parameter with values to choose from.", f"{HEAD} {ASK_BOTH} optionsProvider"),
        ("Creates a parameter that converts values of other types.", f"{HEAD} {ASK_BOTH} resolvers"),
        ("Creates a parameter with values to choose from, which converts values of other types.",
         f"{HEAD} {ASK_BOTH} optionsProvider resolvers"),
        ("Creates a list parameter with a permitted number of elements.", f"{HEAD} size {ASK_BOTH}"),
        ("Creates a list parameter with a permitted number of elements, and values to choose from.",
         f"{HEAD} size {ASK_BOTH} optionsProvider"),
        ("Creates a list parameter with a number of elements for each widget size.", f"{HEAD} size:widget {ASK_BOTH}"),
        ("Creates a list parameter with a number of elements for each widget size, and values to choose from.",
         f"{HEAD} size:widget {ASK_BOTH} optionsProvider"),
    ],
    "Value.ValueType == String": [
        ("Creates a string parameter with keyboard options.", f"{HEAD} inputOptions {ASK}"),
        ("Creates a string parameter with keyboard options and values to choose from.", f"{HEAD} inputOptions {ASK} optionsProvider"),
        ("Creates a string parameter with keyboard options, which converts values of other types.",
         f"{HEAD} inputOptions {ASK} resolvers"),
    ],
    "Value.ValueType == Bool": [
        ("Creates a Boolean parameter with display names for true and false.", f"{HEAD} displayName {ASK}"),
        ("Creates a Boolean parameter with display names for true and false, and values to choose from.",
         f"{HEAD} displayName {ASK} optionsProvider"),
        ("Creates a Boolean parameter with display names for true and false, which converts values of other types.",
         f"{HEAD} displayName {ASK} resolvers"),
    ],
    "Value.ValueType == Date": [
        ("Creates a parameter for a date, a time, or both.", f"{HEAD} kind {ASK}"),
        ("Creates a parameter for a date, a time, or both, with values to choose from.", f"{HEAD} kind {ASK} optionsProvider"),
        ("Creates a parameter for a date, a time, or both, which converts values of other types.", f"{HEAD} kind {ASK} resolvers"),
    ],
    "Value.ValueType == DateComponents": [
        ("Creates a parameter for the components of a date, a time, or both.", f"{HEAD} kind {ASK}"),
        ("Creates a parameter for the components of a date, a time, or both, with values to choose from.",
         f"{HEAD} kind {ASK} optionsProvider"),
        ("Creates a parameter for the components of a date, a time, or both, which converts values of other types.",
         f"{HEAD} kind {ASK} resolvers"),
    ],
    **{
        f"Value.ValueType == {number}": [
            (f"Creates a parameter for {noun} within bounds. Any other value is rejected.",
             f"{HEAD} controlStyle:{number}? inclusiveRange:{number} {ASK}"),
            (f"Creates a parameter for {noun} with a control.", f"{HEAD} controlStyle:{number} {ASK}"),
            (f"Creates a parameter for {noun} within bounds, with values to choose from. Any other value is rejected.",
             f"{HEAD} controlStyle:{number}? inclusiveRange:{number} {ASK} optionsProvider"),
            (f"Creates a parameter for {noun} with a control, and values to choose from.",
             f"{HEAD} controlStyle:{number} {ASK} optionsProvider"),
            (f"Creates a parameter for {noun} within bounds, which converts values of other types. Any other value is rejected.",
             f"{HEAD} controlStyle:{number}? inclusiveRange:{number} {ASK} resolvers"),
            (f"Creates a parameter for {noun} with a control, which converts values of other types.",
             f"{HEAD} controlStyle:{number} {ASK} resolvers"),
        ]
        for number, noun in [("Int", "a whole number"), ("Double", "a number")]
    },
    "Value.ValueType == IntentCurrencyAmount": [
        ("Creates a parameter for an amount of money in one of the given currencies.", f"{HEAD} currencyCodes {ASK}"),
        ("Creates a parameter for an amount of money in one of the given currencies, with values to choose from.",
         f"{HEAD} currencyCodes {ASK} optionsProvider"),
    ],
    "Value.ValueType == IntentPerson": [
        ("Creates a parameter for a person.", f"{HEAD} mode {ASK}"),
        ("Creates a parameter for a person, with values to choose from.", f"{HEAD} mode {ASK} optionsProvider"),
        ("Creates a parameter for people, with a permitted number of people.", f"{HEAD} mode size inputConnectionBehavior"),
        ("Creates a parameter for people, with a number of people for each widget size.", f"{HEAD} mode size:widget inputConnectionBehavior"),
    ],
    "Value.ValueType == IntentFile": [
        ("Creates a parameter for a file of one of the given types. A file that is known to have another type is rejected.",
         f"{HEAD} supportedContentTypes {ASK}"),
        ("Creates a parameter for a file with one of the given type identifiers. A file that is known to have another type is rejected.",
         f"{HEAD} supportedTypeIdentifiers {ASK}"),
        ("Creates a parameter for files of the given types, with a permitted number of files.", f"{HEAD} supportedContentTypes size {ASK}"),
        ("Creates a parameter for files with the given type identifiers, with a permitted number of files.",
         f"{HEAD} supportedTypeIdentifiers size {ASK}"),
        ("Creates a parameter for a file of one of the given types, which converts values of other types.",
         f"{HEAD} supportedContentTypes {ASK} resolvers"),
    ],
    "Value.ValueType: AppEnum": [
        ("Creates a parameter for one of the given cases of an enumeration. Any other case is rejected.", f"{HEAD} supportedValues {ASK_BOTH}"),
        ("Creates a parameter for one of the given cases of an enumeration, with the cases as the last argument. Any other case is rejected.",
         f"{HEAD} {ASK_BOTH} supportedValues", "@_disfavoredOverload"),
    ],
    "Value.ValueType: AppEntity": [
        ("Creates a parameter for an entity, with a query for the entities to choose from. The entity is found by its id with the type's default query.",
         f"{HEAD} {ASK_BOTH} query"),
        ("Creates a parameter for a list of entities, with a permitted number of entities, and a query for the entities to choose from.",
         f"{HEAD} size {ASK_BOTH} query"),
        ("Creates a parameter for a list of entities, with a number of entities for each widget size, and a query.",
         f"{HEAD} size:widget {ASK_BOTH} query"),
    ],
    "Value.ValueType: FileEntity": [
        ("Creates a parameter for an entity that is a file.", f"{HEAD} supportedContentTypes:entity {ASK_BOTH}"),
        ("Creates a parameter for a list of entities that are files, with a permitted number of entities.",
         f"{HEAD} supportedContentTypes:entity size {ASK_BOTH}"),
        ("Creates a parameter for a list of entities that are files, with a number of entities for each widget size.",
         f"{HEAD} supportedContentTypes:entity size:widget {ASK_BOTH}"),
        ("Creates a parameter for an entity that is a file, with a query for the entities to choose from.",
         f"{HEAD} supportedContentTypes:entity {ASK_BOTH} query"),
        ("Creates a parameter for a list of entities that are files, with a permitted number of entities and a query.",
         f"{HEAD} supportedContentTypes:entity size {ASK_BOTH} query"),
        ("Creates a parameter for a list of entities that are files, with a number of entities for each widget size and a query.",
         f"{HEAD} supportedContentTypes:entity size:widget {ASK_BOTH} query"),
    ],
}

MEASUREMENTS = [
    ("Creates a parameter for a measurement with a default unit. The caller may use any other unit of the same dimension.",
     f"title description defaultValue defaultUnit defaultUnitAdjustForLocale supportsNegativeNumbers {ASK}",
     "defaultValue.map { Measurement(value: $0, unit: defaultUnit) }"),
    ("Creates a parameter for a measurement. Its default value is in the base unit.",
     f"title description defaultValue supportsNegativeNumbers:required {ASK}",
     "defaultValue.map { Measurement(value: $0, unit: Unit.baseUnit()) }"),
    ("Creates a parameter for a measurement in a given unit.",
     f"title description defaultValue unit unitAdjustForLocale supportsNegativeNumbers {ASK}",
     "defaultValue.map { Measurement(value: $0, unit: unit) }"),
    ("Creates a parameter for a measurement with a default unit, and values to choose from.",
     f"title description defaultUnit defaultUnitAdjustForLocale supportsNegativeNumbers {ASK} optionsProvider",
     "nil"),
]


def initialiser(summary, names, attribute="", condition="", default=DEFAULT):
    names = names.split()
    generics = [GENERICS[name] for name in names if name in GENERICS]
    if condition and not any("Unit:" in generic for generic in generics):
        generics.insert(0, "Unit: Dimension")
    rows = [PARAMETERS[name] for name in names]
    traits = sorted((trait for _, _, trait in rows if trait), key=lambda trait: TRAITS.index(trait.split(":")[0]))
    label = lambda name: name.split(":")[0]
    lines = [f"/// {line}" for line in textwrap.wrap(summary, 112)] + ["///", "/// - Parameters:"]
    lines += [f"///   - {'defaultValue' if name == 'default' else label(name)}: {meaning}"
              for name, (_, meaning, _) in zip(names, rows)]
    lines += [attribute] if attribute else []
    lines += ["public convenience init" + (f"<{', '.join(generics)}>" if generics else "") + "("]
    lines += [f"    {declaration}," for declaration, _, _ in rows]
    lines[-1] = lines[-1].removesuffix(",")
    lines += [f") {condition} {{" if condition else ") {", "    self.init(", "        ParameterTraits("]
    lines += [f"            {trait}," for trait in traits]
    lines[-1] = lines[-1].removesuffix(",")
    lines += ["        ),", f"        default: {default}", "    )", "}"]
    return lines


def files():
    families = [
        extension(f"IntentParameter where {condition}" if condition else "IntentParameter", [initialiser(*row) for row in rows])
        for condition, rows in TABLE.items()
    ]
    families.append(extension(
        "IntentParameter", [initialiser(text, names, "", MEASURE, value) for text, names, value in MEASUREMENTS]))
    return {"AppIntents/Generated/IntentParameter+Initialisers.swift":
            header("initialisers.py", "Apple's IntentParameter page")
            + "public import Foundation\nimport IntentSharedTypes\n\n" + "\n".join(families)}
