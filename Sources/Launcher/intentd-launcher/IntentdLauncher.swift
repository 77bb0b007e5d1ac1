import Glibc
import IntentLauncher

@main
struct IntentdLauncher {
    static func main() {
        exit(LauncherProgram.run())
    }
}
