import Glibc
import IntentEgress

@main
struct IntentdEgress {
    static func main() {
        exit(EgressProgram.run())
    }
}
