// The styles of controls. A snippet ignores them, because the client chooses the style.

/// A style for toggles. Ignored on Linux.
///
/// Source: Apple's ToggleStyle page.
public protocol ToggleStyle {}

/// The style that the client chooses for a toggle.
public struct DefaultToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == DefaultToggleStyle {
    /// The style that the client chooses for a toggle.
    public static var automatic: Self { Self() }
}

/// A style that shows a toggle as a switch with two positions.
public struct SwitchToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// A style that shows a toggle as a switch with two positions.
    public static var `switch`: Self { Self() }
}

/// A style that shows a toggle as a button.
public struct ButtonToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == ButtonToggleStyle {
    /// A style that shows a toggle as a button.
    public static var button: Self { Self() }
}

/// A style that shows a toggle as a checkbox.
public struct CheckboxToggleStyle: ToggleStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ToggleStyle where Self == CheckboxToggleStyle {
    /// A style that shows a toggle as a checkbox.
    public static var checkbox: Self { Self() }
}

extension View {
    /// Sets the style of toggles. Ignored on Linux.
    nonisolated public func toggleStyle<Style: ToggleStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:toggleStyle")
    ) -> some View { self }
}

/// A style for gauges. Ignored on Linux.
///
/// Source: Apple's GaugeStyle page.
public protocol GaugeStyle {}

/// The style that the client chooses for a gauge.
public struct DefaultGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == DefaultGaugeStyle {
    /// The style that the client chooses for a gauge.
    public static var automatic: Self { Self() }
}

/// A style that shows a gauge as a bar that is filled up to the value.
public struct LinearCapacityGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == LinearCapacityGaugeStyle {
    /// A style that shows a gauge as a bar that is filled up to the value.
    public static var linearCapacity: Self { Self() }
}

/// A style that shows a gauge as an open ring with a mark at the value.
public struct AccessoryCircularGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
    /// A style that shows a gauge as an open ring with a mark at the value.
    public static var accessoryCircular: Self { Self() }
}

/// A style that shows a gauge as a closed ring that is filled up to the value.
public struct AccessoryCircularCapacityGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
    /// A style that shows a gauge as a closed ring that is filled up to the value.
    public static var accessoryCircularCapacity: Self { Self() }
}

/// A style that shows a gauge as a bar with a mark at the value.
public struct AccessoryLinearGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
    /// A style that shows a gauge as a bar with a mark at the value.
    public static var accessoryLinear: Self { Self() }
}

/// A style that shows a gauge as a compact bar that is filled up to the value.
public struct AccessoryLinearCapacityGaugeStyle: GaugeStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GaugeStyle where Self == AccessoryLinearCapacityGaugeStyle {
    /// A style that shows a gauge as a compact bar that is filled up to the value.
    public static var accessoryLinearCapacity: Self { Self() }
}

extension View {
    /// Sets the style of gauges. Ignored on Linux.
    nonisolated public func gaugeStyle<Style: GaugeStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:gaugeStyle")
    ) -> some View { self }
}

/// A style for progress views. Ignored on Linux.
///
/// Source: Apple's ProgressViewStyle page.
public protocol ProgressViewStyle {}

/// The style that the client chooses for a progress view.
public struct DefaultProgressViewStyle: ProgressViewStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// The style that the client chooses for a progress view.
    public static var automatic: Self { Self() }
}

/// A style that shows progress as a bar.
public struct LinearProgressViewStyle: ProgressViewStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// A style that shows progress as a bar.
    public static var linear: Self { Self() }
}

/// A style that shows progress as a ring.
public struct CircularProgressViewStyle: ProgressViewStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// A style that shows progress as a ring.
    public static var circular: Self { Self() }
}

extension View {
    /// Sets the style of progress views. Ignored on Linux.
    nonisolated public func progressViewStyle<Style: ProgressViewStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:progressViewStyle")
    ) -> some View { self }
}

/// A style for lists. Ignored on Linux.
///
/// Source: Apple's ListStyle page.
public protocol ListStyle {}

/// The style that the client chooses for a list.
public struct DefaultListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == DefaultListStyle {
    /// The style that the client chooses for a list.
    public static var automatic: Self { Self() }
}

/// A list style without a background.
public struct PlainListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == PlainListStyle {
    /// A list style without a background.
    public static var plain: Self { Self() }
}

/// A list style that separates sections.
public struct GroupedListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == GroupedListStyle {
    /// A list style that separates sections.
    public static var grouped: Self { Self() }
}

/// A list style with margins.
public struct InsetListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == InsetListStyle {
    /// A list style with margins.
    public static var inset: Self { Self() }
}

/// A list style with margins that separates sections.
public struct InsetGroupedListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == InsetGroupedListStyle {
    /// A list style with margins that separates sections.
    public static var insetGrouped: Self { Self() }
}

/// A list style for a sidebar.
public struct SidebarListStyle: ListStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension ListStyle where Self == SidebarListStyle {
    /// A list style for a sidebar.
    public static var sidebar: Self { Self() }
}

extension View {
    /// Sets the style of lists. Ignored on Linux.
    nonisolated public func listStyle<Style: ListStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:listStyle")
    ) -> some View { self }
}

/// A style for forms. Ignored on Linux.
///
/// Source: Apple's FormStyle page.
public protocol FormStyle {}

/// The style that the client chooses for a form.
public struct AutomaticFormStyle: FormStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension FormStyle where Self == AutomaticFormStyle {
    /// The style that the client chooses for a form.
    public static var automatic: Self { Self() }
}

/// A form style that groups rows.
public struct GroupedFormStyle: FormStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension FormStyle where Self == GroupedFormStyle {
    /// A form style that groups rows.
    public static var grouped: Self { Self() }
}

/// A form style with a column of labels and a column of values.
public struct ColumnsFormStyle: FormStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension FormStyle where Self == ColumnsFormStyle {
    /// A form style with a column of labels and a column of values.
    public static var columns: Self { Self() }
}

extension View {
    /// Sets the style of forms. Ignored on Linux.
    nonisolated public func formStyle<Style: FormStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:formStyle")
    ) -> some View { self }
}

/// A style for group boxes. Ignored on Linux.
///
/// Source: Apple's GroupBoxStyle page.
public protocol GroupBoxStyle {}

/// The style that the client chooses for a group box.
public struct DefaultGroupBoxStyle: GroupBoxStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension GroupBoxStyle where Self == DefaultGroupBoxStyle {
    /// The style that the client chooses for a group box.
    public static var automatic: Self { Self() }
}

extension View {
    /// Sets the style of group boxes. Ignored on Linux.
    nonisolated public func groupBoxStyle<Style: GroupBoxStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:groupBoxStyle")
    ) -> some View { self }
}
