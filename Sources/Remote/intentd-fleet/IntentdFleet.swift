import Glibc
import IntentFleetService

@main
struct IntentdFleet {
    static func main() {
        exit(FleetProgram.run())
    }
}
