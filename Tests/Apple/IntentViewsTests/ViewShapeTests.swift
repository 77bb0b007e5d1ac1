import Testing

@Suite struct ViewShapeTests {
    @Test(arguments: ViewShape.texts + ViewShape.layouts + ViewShape.decorations + ViewShape.controls)
    @MainActor func `a view becomes a snippet`(shape: ViewShape) async throws {
        let shown = try await outline(shape.view())
        #expect(shown == shape.outline)
    }
}
