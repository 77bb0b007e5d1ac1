import Foundation
import TestSupport
import Testing

// Runs that outlive a request: tasks, questions, cancellation and undo.
extension MCPTests {
    @Test func `a question is answered once by its state, even after the server was killed`() throws {
        let daemon = try daemon()
        var server = try MCPProcess(daemon)
        let asked = try server.call("Probe_AskSomething", ["way": "value"], capabilities: Self.forms)
        #expect(asked["resultType"] as? String == "input_required", "\(asked)")
        let state = try #require(asked["requestState"] as? String)
        let key = try #require((asked["inputRequests"] as? [String: Any])?.keys.first)
        let name = try #require(
            ((((asked["inputRequests"] as? [String: Any])?[key] as? [String: Any])?["params"] as? [String: Any])?[
                "requestedSchema"
            ] as? [String: Any])?["properties"] as? [String: Any]
        ).keys.first
        let answer: [String: Any] = [key: ["action": "accept", "content": [try #require(name): 4]]]
        let forged = String(state.dropLast()) + (state.hasSuffix("0") ? "1" : "0")
        for (arguments, state) in [(["way": "value"], forged), (["way": "choice"], state)] {
            let refused = try server.call(
                "Probe_AskSomething",
                arguments,
                capabilities: Self.forms,
                state: state,
                responses: answer
            )
            #expect(refused["error"] != nil || refused["isError"] as? Bool == true, "\(refused)")
        }
        server.crash()
        server = try MCPProcess(daemon)
        let result = try server.call(
            "Probe_AskSomething",
            ["way": "value"],
            capabilities: Self.forms,
            state: state,
            responses: answer
        )
        #expect(result.structured["value"] != nil, "\(result)")
        let replayed = try server.call(
            "Probe_AskSomething",
            ["way": "value"],
            capabilities: Self.forms,
            state: state,
            responses: answer
        )
        #expect(replayed["error"] != nil || replayed["isError"] as? Bool == true)
        // The part before the question was not performed twice, because only one run exists.
        #expect((try daemon.json("history")["runs"] as? [[String: Any]])?.count == 1)
    }

    @Test func `a task continues after the server was killed`() throws {
        let daemon = try daemon()
        var server = try MCPProcess(daemon)
        let begun = try server.call("Probe_Background", ["seconds": 1.0], capabilities: Self.tasks)
        let task = try #require(begun["taskId"] as? String, "\(begun)")
        server.crash()
        server = try MCPProcess(daemon)
        try eventually("the task is completed") {
            try server.request("tasks/get", ["taskId": task], capabilities: Self.tasks)["status"] as? String
                == "completed"
        }
        #expect(try outcome(of: task, in: daemon) == "done")
    }

    @Test func `a cancelled call stops its run, and the end of the input stops calls but no tasks`() throws {
        let daemon = try daemon()
        let server = try MCPProcess(daemon)
        let task = try #require(
            try server.call("Probe_Background", ["seconds": 60.0], capabilities: Self.tasks)["taskId"] as? String
        )
        let call = try server.begin("tools/call", ["name": "Probe_Slow", "arguments": ["seconds": 60]])
        try eventually("both run") { try daemon.intentctl("ps").output.split(separator: "\n").count >= 3 }
        try server.send(["method": "notifications/cancelled", "params": ["requestId": call]])
        try eventually("the call's run has ended") {
            let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
            return runs.contains { $0["intent"] as? String == "Slow" && $0["outcome"] as? String == "cancelled" }
        }
        _ = try server.begin("tools/call", ["name": "Probe_Slow", "arguments": ["seconds": 61]])
        try eventually("the second call runs") {
            try daemon.intentctl("ps").output.contains("Slow")
        }
        #expect(server.finish() == 0)
        try eventually("only the task runs") { try !daemon.intentctl("ps").output.contains("Slow") }
        #expect(try daemon.intentctl("ps").output.contains(task))
    }

    @Test func `tasks and questions survive the end of intentd and of the server`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=never"], sharesLauncher: true)
        let killed = try MCPProcess(daemon)
        let kept = try MCPProcess(daemon)
        let asked = try killed.call("Probe_AskSomething", ["way": "value"], capabilities: Self.forms)
        let state = try #require(asked["requestState"] as? String, "\(asked)")
        let key = try #require((asked["inputRequests"] as? [String: Any])?.keys.first)
        let begun = try killed.call("Probe_AwaitFile", capabilities: Self.tasks)
        let task = try #require(begun["taskId"] as? String, "\(begun)")
        killed.crash()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        let fresh = try MCPProcess(next)
        func status(_ server: MCPProcess) throws -> String? {
            try server.request("tasks/get", ["taskId": task], capabilities: Self.tasks)["status"] as? String
        }
        #expect(try status(fresh) == "working")
        // The server that was not killed connects again.
        #expect(try status(kept) == "working")
        try next.bring()
        try eventually("the task is completed") { try status(fresh) == "completed" }
        let answered = try kept.call(
            "Probe_AskSomething",
            ["way": "value"],
            capabilities: Self.forms,
            state: state,
            responses: [key: ["action": "accept", "content": ["cups": 4]]]
        )
        #expect(answered.structured["value"] as? String == "4", "\(answered)")
        #expect((try next.json("history")["runs"] as? [[String: Any]])?.count == 2)
    }

    @Test func `a task's question is answered through a server that did not ask it`() throws {
        let daemon = try daemon()
        let first = try MCPProcess(daemon)
        let begun = try first.call("Probe_AskSomething", ["way": "late"], capabilities: Self.tasks)
        let task = try #require(begun["taskId"] as? String, "\(begun)")
        try daemon.bring()
        var asking: [String: Any] = [:]
        try eventually("the task asks") {
            asking = try first.request("tasks/get", ["taskId": task], capabilities: Self.tasks)
            return asking["status"] as? String == "input_required"
        }
        let key = try #require((asking["inputRequests"] as? [String: Any])?.keys.first, "\(asking)")
        first.crash()
        let second = try MCPProcess(daemon)
        let responses = [key: ["action": "accept", "content": ["confirm": true]] as [String: Any]]
        _ = try second.request(
            "tasks/update",
            ["taskId": task, "inputResponses": responses],
            capabilities: Self.tasks
        )
        try eventually("the task is completed") {
            let state = try second.request("tasks/get", ["taskId": task], capabilities: Self.tasks)
            guard state["status"] as? String == "completed" else { return false }
            #expect((state["result"] as? [String: Any])?.structured["value"] as? String == "ordered late")
            return true
        }
    }

    @Test func `a cancelled call reaches the handler with its reason, and is not answered`() throws {
        let daemon = try daemon()
        let server = try MCPProcess(daemon)
        let call = try server.begin("tools/call", ["name": "Probe_Cleanup", "arguments": ["milliseconds": 1]])
        let run = try daemon.run()
        // Another server follows the run: it knows the run's state before the run is cancelled.
        let follower = try MCPProcess(daemon)
        let waiting = try follower.begin("tools/call", ["name": "intent_run_result", "arguments": ["run": run]])
        #expect(try follower.call("intent_run_status", ["run": run]).structured["state"] as? String == "running")
        let params: [String: Any] = ["requestId": call, "reason": "timed out after 10s"]
        try server.send(["method": "notifications/cancelled", "params": params])
        let end = try follower.answer(to: waiting)["result"] as? [String: Any] ?? [:]
        #expect(end.resultText.contains("cleaned up: userCancelled"), "\(end)")
        // The next message answers the next request.
        let next = try server.begin("server/discover")
        #expect(try server.receive()?["id"] as? Int == next)
    }

    @Test func `a run with a lost identifier is found, and its call was answered in time`() throws {
        let daemon = try daemon()
        _ = try daemon.intentctl("run", "Probe/Echo", "--text", "a person's")
        var server = try MCPProcess(daemon, ["--answer-after", "1s"])
        let begun = try server.call("Probe_AwaitFile")
        #expect(begun.structured["state"] as? String == "running", "\(begun)")
        _ = try server.call("Probe_Echo", ["text": "short"])
        #expect(server.finish() == 0)
        server = try MCPProcess(daemon)
        let listed = try server.call("intent_runs", ["unfinished": true]).structured["value"] as? [[String: Any]]
        let run = try #require(listed?.first?["run"] as? String, "\(String(describing: listed))")
        #expect(listed?.count == 1 && run == begun.structured["run"] as? String)
        #expect(
            listed?.first?["state"] as? String == "running" && listed?.first?["intent"] as? String == "Probe/AwaitFile"
        )
        try daemon.bring()
        #expect(try server.call("intent_run_result", ["run": run]).structured["state"] as? String == "done")
        let all = try server.call("intent_runs").structured["value"] as? [[String: Any]] ?? []
        #expect(all.map { $0["intent"] as? String } == ["Probe/Echo", "Probe/AwaitFile"])
        #expect(all.allSatisfy { $0["state"] as? String == "ended" && $0["outcome"] as? String == "done" }, "\(all)")
    }

    @Test func `a run is undone once`() throws {
        let daemon = try Daemon(app: ["State=yes"], configuration: ["[Agents]", "Ask=never"])
        let server = try MCPProcess(daemon)
        let result = try server.call("Probe_RememberWord", ["word": "oops"])
        let undo = try #require(result.structured["undo"] as? [String: Any], "\(result)")
        #expect(result.resultText.contains("intent_undo"))
        let arguments = try #require(undo["arguments"] as? [String: Any])
        let other = try MCPProcess(daemon, ["--only", "Archive/*"])
        #expect(try other.call("intent_undo", arguments).resultText.contains("does not offer Probe/RememberWord"))
        let undone = try server.call(try #require(undo["tool"] as? String), arguments)
        #expect(undone["isError"] as? Bool != true, "\(undone)")
        #expect(try server.call("Probe_RememberWord", ["word": "oops", "how": "none"])["isError"] as? Bool != true)
        // A repeated request joins the same undo run, so the new word stays.
        let again = try server.call("intent_undo", arguments)
        #expect(again.structured["run"] as? String == undone.structured["run"] as? String, "\(again)")
        #expect(try server.call("Probe_RememberWord", ["word": "end"]).structured["value"] as? String == "oops end")
    }
}
