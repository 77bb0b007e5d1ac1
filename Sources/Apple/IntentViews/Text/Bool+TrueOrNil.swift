extension Bool {
    /// True, or nil instead of false, because a snippet omits a style that is off.
    var trueOrNil: Bool? { self ? true : nil }
}
