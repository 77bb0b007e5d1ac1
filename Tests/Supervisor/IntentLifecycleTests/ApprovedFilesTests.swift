import IntentLauncherMessages
import IntentLifecycle
import Testing

/// The files of a run that a person approves, and the approval by the next `intentd`.
@Suite struct ApprovedFilesTests {
    private typealias Sender = ApprovalScene.Sender
    private typealias Asked = ApprovalScene.Asked

    /// The files that `intentd` can find: every name × every kind of contents.
    private static let files: [PassedFile] =
        [PassedFile.Name.none, .verified("/srv/a"), .unverified("/srv/a")].flatMap { name in
            [PassedFile.Contents.copy(digest: "d1"), .copy(digest: "d2"), .writable(device: 1, inode: 2)].map {
                PassedFile(name: name, byteCount: 3, contents: $0)
            }
        }

    @Test(arguments: [
        ("/srv/x", ["/srv"], true), ("/srv/x", ["/srv/"], true), ("/srv2/x", ["/srv"], false), ("/x", ["/"], true),
        ("/srv/x", ["/home", "/srv"], true), ("/srv", ["/srv"], false), ("/srv/x", [], false),
    ])
    func `an agent's file is below a permitted folder, not beside one with a similar name`(
        path: String,
        roots: [String],
        isBelow: Bool
    ) {
        let contents = PassedFile.Contents.copy(digest: "")
        let file = PassedFile(name: .verified(path), byteCount: 1, contents: contents)
        #expect(file.isBelow(roots) == isBelow)
        #expect((PassedFile.refusal(of: [file], below: roots) == nil) == isBelow)
        #expect(PassedFile.refusal(of: [file], below: nil) == nil)
        #expect(!PassedFile(name: .unverified(path), byteCount: 1, contents: contents).isBelow(roots))
    }

    @Test
    func `the question shows whether the name of a file is verified, and its hash and size or that it can change`()
        throws
    {
        var questions: [Question] = []
        for file in Self.files {
            var asked = Asked()
            (asked.request.fileCount, asked.files) = (1, [file])
            var scene = try ApprovalScene(.always)
            let question = try #require(scene.perform(asked).question).question
            switch file.name {
            case .none: #expect(question.text.contains("a file without a path"))
            case .verified: #expect(question.text.contains("/srv/a") && !question.text.contains("not verified"))
            case .unverified: #expect(question.text.contains("/srv/a") && question.text.contains("not verified"))
            }
            switch file.contents {
            case .copy(let digest): #expect(question.text.contains("3 bytes, SHA-256 \(digest)"))
            case .writable: #expect(question.text.contains("its contents can still change"))
            }
            questions.append(question)
        }
        #expect(Set(questions.map(\.text)).count == Self.files.count)
        #expect(Set(questions.map(\.digest)).count == Self.files.count)
    }

    @Test func `only a file with a verified name below a permitted folder fulfils AllowRoots=`() {
        for file in Self.files {
            #expect(PassedFile.refusal(of: [file], below: nil) == nil)
            #expect(PassedFile.refusal(of: [file], below: ["/etc"])?.code == .notPermitted)
            let refusal = PassedFile.refusal(of: [file], below: ["/etc", "/srv"])
            switch file.name {
            case .verified: #expect(refusal == nil)
            case .unverified:
                #expect(refusal?.message.contains("does not reach") == true)
                #expect(refusal?.hint?.contains("BindReadOnlyPaths=") == true)
            case .none: #expect(refusal?.message.contains("without a path") == true)
            }
        }
    }

    @Test func `the next intentd asks the same question about the same files`() throws {
        for file in Self.files {
            var asked = Asked()
            (asked.request.fileCount, asked.files) = (1, [file])
            var scene = try ApprovalScene(.always)
            let actions = scene.perform(asked)
            let question = try #require(actions.question).question
            let kept = try #require(actions.remainder)
            #expect(kept.files == [file])
            let bytes = WireCoding.encode(kept)
            #expect(try WireCoding.decode(RunRemainder.self, from: bytes) == kept)
            let next = try scene.next(after: actions)
            #expect(next.question.digest == question.digest)
            #expect(next.question.text == question.text)
        }
    }

    @Test func `an approved retry waits for its predecessor, also after a restart`() throws {
        var asked = Asked()
        asked.request.retryOf = Scene.run(2)
        var scene = try ApprovalScene(.always)
        let actions = scene.perform(asked)
        for hasPredecessor in [true, false] {
            var (table, _) = try scene.next(after: actions)
            if hasPredecessor {
                var first = try #require(actions.accepted)
                (first.request, first.retryOf, first.needsApproval) = (Scene.request(2), nil, nil)
                // The run waits in the backlog, because its client has not reconnected.
                _ = table.handle(.found(scene.found(2, first, .queued), absence: .zero), at: at(2))
            }
            let answer = AnswerRequest(run: Scene.run(1).text, question: 0, value: .bool(true))
            let approved = table.handle(.requested(Sender.person.origin(), .answer(answer)), at: at(2))
            #expect(approved.isAccepted && scene.scene.launchedRuns(approved) == (hasPredecessor ? [] : [1]))
        }
    }
}
