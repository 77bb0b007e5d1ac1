// The styles of controls. They compile, and a snippet ignores them: the client chooses the style.

/// A style of switches. Ignored on Linux.
///
/// Source: Apple's ToggleStyle page.
public protocol ToggleStyle {}

/// A style of switches.
public struct DefaultToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == DefaultToggleStyle {
    /// A style of switches.
    public static var automatic: Self { Self() }
}

/// A style of switches.
public struct SwitchToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// A style of switches.
    public static var `switch`: Self { Self() }
}

/// A style of switches.
public struct ButtonToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == ButtonToggleStyle {
    /// A style of switches.
    public static var button: Self { Self() }
}

/// A style of switches.
public struct CheckboxToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == CheckboxToggleStyle {
    /// A style of switches.
    public static var checkbox: Self { Self() }
}

extension View {
    /// Sets the style of switches. Ignored on Linux.
    nonisolated public func toggleStyle<Style: ToggleStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:toggleStyle")
    ) -> some View { self }
}

/// A style of levels. Ignored on Linux.
///
/// Source: Apple's GaugeStyle page.
public protocol GaugeStyle {}

/// A style of levels.
public struct DefaultGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == DefaultGaugeStyle {
    /// A style of levels.
    public static var automatic: Self { Self() }
}

/// A style of levels.
public struct LinearCapacityGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == LinearCapacityGaugeStyle {
    /// A style of levels.
    public static var linearCapacity: Self { Self() }
}

/// A style of levels.
public struct AccessoryCircularGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
    /// A style of levels.
    public static var accessoryCircular: Self { Self() }
}

/// A style of levels.
public struct AccessoryCircularCapacityGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
    /// A style of levels.
    public static var accessoryCircularCapacity: Self { Self() }
}

/// A style of levels.
public struct AccessoryLinearGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
    /// A style of levels.
    public static var accessoryLinear: Self { Self() }
}

/// A style of levels.
public struct AccessoryLinearCapacityGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryLinearCapacityGaugeStyle {
    /// A style of levels.
    public static var accessoryLinearCapacity: Self { Self() }
}

extension View {
    /// Sets the style of levels. Ignored on Linux.
    nonisolated public func gaugeStyle<Style: GaugeStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:gaugeStyle")
    ) -> some View { self }
}

/// A style of progress. Ignored on Linux.
///
/// Source: Apple's ProgressViewStyle page.
public protocol ProgressViewStyle {}

/// A style of progress.
public struct DefaultProgressViewStyle: ProgressViewStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// A style of progress.
    public static var automatic: Self { Self() }
}

/// A style of progress.
public struct LinearProgressViewStyle: ProgressViewStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// A style of progress.
    public static var linear: Self { Self() }
}

/// A style of progress.
public struct CircularProgressViewStyle: ProgressViewStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// A style of progress.
    public static var circular: Self { Self() }
}

extension View {
    /// Sets the style of progress. Ignored on Linux.
    nonisolated public func progressViewStyle<Style: ProgressViewStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:progressViewStyle")
    ) -> some View { self }
}

/// A style of lists. Ignored on Linux.
///
/// Source: Apple's ListStyle page.
public protocol ListStyle {}

/// A style of lists.
public struct DefaultListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == DefaultListStyle {
    /// A style of lists.
    public static var automatic: Self { Self() }
}

/// A style of lists.
public struct PlainListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == PlainListStyle {
    /// A style of lists.
    public static var plain: Self { Self() }
}

/// A style of lists.
public struct GroupedListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == GroupedListStyle {
    /// A style of lists.
    public static var grouped: Self { Self() }
}

/// A style of lists.
public struct InsetListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == InsetListStyle {
    /// A style of lists.
    public static var inset: Self { Self() }
}

/// A style of lists.
public struct InsetGroupedListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == InsetGroupedListStyle {
    /// A style of lists.
    public static var insetGrouped: Self { Self() }
}

/// A style of lists.
public struct SidebarListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == SidebarListStyle {
    /// A style of lists.
    public static var sidebar: Self { Self() }
}

extension View {
    /// Sets the style of lists. Ignored on Linux.
    nonisolated public func listStyle<Style: ListStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:listStyle")
    ) -> some View { self }
}

/// A style of forms. Ignored on Linux.
///
/// Source: Apple's FormStyle page.
public protocol FormStyle {}

/// A style of forms.
public struct AutomaticFormStyle: FormStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension FormStyle where Self == AutomaticFormStyle {
    /// A style of forms.
    public static var automatic: Self { Self() }
}

/// A style of forms.
public struct GroupedFormStyle: FormStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension FormStyle where Self == GroupedFormStyle {
    /// A style of forms.
    public static var grouped: Self { Self() }
}

/// A style of forms.
public struct ColumnsFormStyle: FormStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension FormStyle where Self == ColumnsFormStyle {
    /// A style of forms.
    public static var columns: Self { Self() }
}

extension View {
    /// Sets the style of forms. Ignored on Linux.
    nonisolated public func formStyle<Style: FormStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:formStyle")
    ) -> some View { self }
}

/// A style of groups. Ignored on Linux.
///
/// Source: Apple's GroupBoxStyle page.
public protocol GroupBoxStyle {}

/// A style of groups.
public struct DefaultGroupBoxStyle: GroupBoxStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GroupBoxStyle where Self == DefaultGroupBoxStyle {
    /// A style of groups.
    public static var automatic: Self { Self() }
}

extension View {
    /// Sets the style of groups. Ignored on Linux.
    nonisolated public func groupBoxStyle<Style: GroupBoxStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:groupBoxStyle")
    ) -> some View { self }
}
