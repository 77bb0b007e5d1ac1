import AppIntents

/// Takes orders for soup.
@main
struct SoupApp: AppIntentsExtension {
    init() {
        AppDependencyManager.shared.add(dependency: Kitchen())
    }
}
