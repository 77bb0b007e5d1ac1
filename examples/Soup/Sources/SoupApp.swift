import AppIntents

/// An app that accepts orders for soup.
@main
struct SoupApp: AppIntentsExtension {
    init() {
        AppDependencyManager.shared.add(dependency: Kitchen())
    }
}
