import Foundation
import PackagePlugin

/// Generates typed calls from the catalogues in a target: `intents.json` and files with the suffix `.intents.json`.
@main
struct IntentStubsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let tool = try context.tool(named: "intent-stubs")
        let catalogues = module.sourceFiles.map(\.url).filter {
            let name = $0.lastPathComponent
            return name == "intents.json" || name.utf8.reversed().starts(with: ".intents.json".utf8.reversed())
        }
        if catalogues.isEmpty {
            Diagnostics.warning(
                "\(target.name) has no catalogue for IntentStubs: write one into its folder with "
                    + "'intentctl describe APP --output json > APP.intents.json'"
            )
        }
        return catalogues.map { catalogue in
            let stem = catalogue.deletingPathExtension().lastPathComponent
            let name = String(String.UnicodeScalarView(stem.unicodeScalars.map { $0 == "." ? "-" : $0 }))
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
