extension Bool {
    /// True, or nil instead of false, because a message omits a flag that is false.
    package var trueOrNil: Bool? { self ? true : nil }
}
