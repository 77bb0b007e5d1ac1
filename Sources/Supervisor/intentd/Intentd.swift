import Glibc
import IntentSupervisor

@main
struct Intentd {
    static func main() {
        exit(SupervisorProgram.run())
    }
}
