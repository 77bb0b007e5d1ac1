import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle
import IntentSupervisor
import Testing

/// The hints about errors that the sandbox causes, from the operator's settings.
@Suite struct SandboxHintTests {
    private static let refused: Int32 = 1
    private static let absent: Int32 = 2

    private func key(_ call: FailedCall, programs: [ProgramGrant]) -> String? {
        var settings = SandboxSettings()
        settings.programs = programs
        return settings.grants.denial(of: call)?.key
    }

    @Test(arguments: [[ProgramGrant.system], [.path("/opt/tool")]])
    func `an app with Programs= is not told to set Subprocesses=`(_ programs: [ProgramGrant]) {
        #expect(key(FailedCall(errorNumber: Self.refused), programs: programs) == "AllowHosts=HOST:PORT")
        let other = FailedCall(errorNumber: Self.absent, path: "/srv/bin/tool")
        #expect(key(other, programs: programs) == "Programs=/srv/bin/tool")
    }

    @Test(arguments: [
        (ProgramGrant.system, "/usr/bin/env"), (.system, "/bin/sh"), (.path("/opt/tool"), "/opt/tool/bin/tool"),
    ])
    func `a missing file below a folder of Programs= is not a denial`(_ program: ProgramGrant, _ path: String) {
        let call = FailedCall(errorNumber: Self.absent, path: path)
        #expect(key(call, programs: [program]) == nil)
        #expect(key(call, programs: [])?.hasSuffix("Programs=\(path)") == true)
    }
}
