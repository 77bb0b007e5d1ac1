public import AppIntents
public import Foundation
import IntentSharedTypes

/// A view that shows the progress of an operation.
///
/// Source: Apple's ProgressView page.
public struct ProgressView<Label: View, CurrentValueLabel: View> {
    private let fraction: Double?
    private let label: Label
    private let currentValueLabel: CurrentValueLabel

    private init(fraction: Double?, _ label: Label, _ currentValueLabel: CurrentValueLabel) {
        self.fraction = fraction
        self.label = label
        self.currentValueLabel = currentValueLabel
    }
}

extension ProgressView {
    /// Creates a progress view for a value between 0 and a total. Pass nil if the value is unknown.
    public init<Value: BinaryFloatingPoint>(
        value: Value?,
        total: Value = 1.0,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) {
        self.init(fraction: value.flatMap { IntentViews.fraction(of: $0, in: 0, total) }, label(), currentValueLabel())
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    /// Creates a progress view for a value between 0 and a total. Pass nil if the value is unknown.
    public init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1.0, @ViewBuilder label: () -> Label) {
        self.init(value: value, total: total, label: label, currentValueLabel: { EmptyView() })
    }

    /// Creates an indeterminate progress view, for an operation with unknown progress.
    public init(@ViewBuilder label: () -> Label) {
        self.init(fraction: nil, label(), EmptyView())
    }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    /// Creates an indeterminate progress view, for an operation with unknown progress.
    public init() {
        self.init(fraction: nil, EmptyView(), EmptyView())
    }

    /// Creates a progress view for a value between 0 and a total. Pass nil if the value is unknown.
    public init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1.0) {
        self.init(value: value, total: total, label: { EmptyView() }, currentValueLabel: { EmptyView() })
    }

    /// Creates a progress view for a time interval. It shows the fraction that remains when the snippet is created, or
    /// the fraction that has elapsed if `countsDown` is false.
    public init(timerInterval: ClosedRange<Date>, countsDown: Bool = true) {
        let (start, end) = (timerInterval.lowerBound, timerInterval.upperBound)
        let passed = IntentViews.fraction(of: Date().timeIntervalSince(start), in: 0, end.timeIntervalSince(start))
        self.init(fraction: passed.map { countsDown ? 1 - $0 : $0 }, EmptyView(), EmptyView())
    }

    /// Creates a progress view for an operation. It shows the progress that the operation has made at that time.
    public init(_ progress: Progress) {
        self.init(fraction: progress.isIndeterminate ? nil : progress.fractionCompleted, EmptyView(), EmptyView())
    }
}

extension ProgressView where Label == Text, CurrentValueLabel == EmptyView {
    /// Creates an indeterminate progress view, for an operation with unknown progress.
    public init(_ titleKey: LocalizedStringKey) {
        self.init { Text(titleKey) }
    }

    /// Creates an indeterminate progress view, for an operation with unknown progress. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title) {
        self.init { Text(title) }
    }

    /// Creates a progress view for a value between 0 and a total. Pass nil if the value is unknown.
    public init<Value: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: Value?, total: Value = 1.0) {
        self.init(value: value, total: total) { Text(titleKey) }
    }

    /// Creates a progress view for a value between 0 and a total. Pass nil if the value is unknown. The title is not
    /// translated.
    @_disfavoredOverload
    public init<Title: StringProtocol, Value: BinaryFloatingPoint>(_ title: Title, value: Value?, total: Value = 1.0) {
        self.init(value: value, total: total) { Text(title) }
    }
}

extension ProgressView: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.addProgress(fraction) {
            try canvas.draw(label)
            try canvas.draw(currentValueLabel)
        }
    }
}

/// A view that shows a value between two bounds.
///
/// Source: Apple's Gauge page.
public struct Gauge<Label: View, CurrentValueLabel: View, BoundsLabel: View, MarkedValueLabels: View> {
    private let fraction: Double?
    private let label: Label
    private let currentValueLabel: CurrentValueLabel
    private let bounds: (minimum: BoundsLabel, maximum: BoundsLabel)?
}

extension Gauge where CurrentValueLabel == EmptyView, BoundsLabel == EmptyView, MarkedValueLabels == EmptyView {
    /// Creates a gauge with a label.
    public init<Value: BinaryFloatingPoint>(
        value: Value,
        in bounds: ClosedRange<Value> = 0...1,
        @ViewBuilder label: () -> Label
    ) {
        self.init(
            fraction: IntentViews.fraction(of: value, in: bounds.lowerBound, bounds.upperBound),
            label: label(),
            currentValueLabel: EmptyView(),
            bounds: nil
        )
    }
}

extension Gauge where BoundsLabel == EmptyView, MarkedValueLabels == EmptyView {
    /// Creates a gauge with a label and a label for the value.
    public init<Value: BinaryFloatingPoint>(
        value: Value,
        in bounds: ClosedRange<Value> = 0...1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) {
        self.init(
            fraction: IntentViews.fraction(of: value, in: bounds.lowerBound, bounds.upperBound),
            label: label(),
            currentValueLabel: currentValueLabel(),
            bounds: nil
        )
    }
}

extension Gauge where MarkedValueLabels == EmptyView {
    /// Creates a gauge with a label, and labels for the value and for its bounds.
    public init<Value: BinaryFloatingPoint>(
        value: Value,
        in bounds: ClosedRange<Value> = 0...1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
        @ViewBuilder minimumValueLabel: () -> BoundsLabel,
        @ViewBuilder maximumValueLabel: () -> BoundsLabel
    ) {
        self.init(
            fraction: IntentViews.fraction(of: value, in: bounds.lowerBound, bounds.upperBound),
            label: label(),
            currentValueLabel: currentValueLabel(),
            bounds: (minimumValueLabel(), maximumValueLabel())
        )
    }
}

extension Gauge: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.addProgress(fraction ?? 0) {
            try canvas.draw(label)
            try canvas.draw(currentValueLabel)
            if let bounds {
                try canvas.draw(bounds.minimum)
                try canvas.draw(bounds.maximum)
            }
        }
    }
}

extension _SnippetCanvas {
    fileprivate func addProgress(_ fraction: Double?, _ labels: () throws -> Void) throws {
        var style = SnippetStyle()
        style.foreground = environment.tint
        try add(.progress(fraction), style: style, labels)
    }
}

/// Returns the position of a value between two bounds, from 0 to 1; nil if one of the numbers is not finite or the
/// range is empty.
private func fraction<Value: BinaryFloatingPoint>(of value: Value, in lower: Value, _ upper: Value) -> Double? {
    guard value.isFinite, lower.isFinite, upper.isFinite, upper > lower else { return nil }
    return min(1, max(0, Double((value - lower) / (upper - lower))))
}
