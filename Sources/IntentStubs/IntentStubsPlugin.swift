import Foundation
import PackagePlugin

/// Generates typed calls from the catalogues in a target: `intents.json` and files with the suffix `.intents.json`.
@main
struct IntentStubsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let tool = try context.tool(named: "intent-stubs")
        let catalogues = module.sourceFiles.map(\.url).filter {
            $0.lastPathComponent == "intents.json" || $0.lastPathComponent.hasSuffix(".intents.json")
        }
        if catalogues.isEmpty {
            Diagnostics.warning(
                "\(target.name) has no catalogue for IntentStubs: write one into its folder with "
                    + "'intentctl describe APP --output json > APP.intents.json'"
            )
        }
        return catalogues.map { catalogue in
            let name = catalogue.deletingPathExtension().lastPathComponent.replacing(".", with: "-")
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
            return .buildCommand(
                displayName: "Generating calls from \(catalogue.lastPathComponent)",
                executable: tool.url,
                arguments: [catalogue.path(percentEncoded: false), output.path(percentEncoded: false)],
                inputFiles: [catalogue],
                outputFiles: [output]
            )
        }
    }
}
