extension ForeignServer {
    static let all = few + rest

    /// The rows that every run of the tests has.
    static let few = [
        ForeignServer(
            name: "server-time",
            package: "mcp-server-time",
            program: "mcp-server-time",
            call: Call(tool: "get_current_time", values: #"{"timezone":"Europe/Vienna"}"#, expected: "Europe/Vienna")
        ),
        ForeignServer(
            name: "server-git",
            package: "mcp-server-git",
            program: "mcp-server-git",
            arguments: ["--repository", "FOLDER"],
            // git refuses a repository of another user.
            environment: ["GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"],
            call: Call(tool: "git_status", values: #"{"repo_path":"FOLDER"}"#, expected: "nothing to commit"),
            refused: Call(
                tool: "git_create_branch",
                values: #"{"repo_path":"FOLDER","branch_name":"b"}"#,
                expected: "could not be obtained"
            )
        ),
        ForeignServer(
            name: "server-calculator",
            package: "mcp-server-calculator",
            program: "mcp-server-calculator",
            call: Call(tool: "calculate", values: #"{"expression":"6*7"}"#, expected: "42")
        ),
    ]

    /// The rows of `Tests/endurance servers`.
    private static let rest = files + data + hosts + programs

    private static let files = [
        ForeignServer(
            name: "server-filesystem",
            package: "filesystem-mcp",
            program: "filesystem-mcp",
            arguments: ["FOLDER"],
            call: Call(tool: "read_file", values: #"{"path":"FOLDER/note.md"}"#, expected: "# Title"),
            refused: Call(
                tool: "write_file",
                values: #"{"path":"FOLDER/new.md","content":"x"}"#,
                expected: "Read-only file system"
            )
        ),
        ForeignServer(
            name: "server-text-editor",
            package: "mcp-text-editor",
            program: "mcp-text-editor",
            grants: ["ReadPaths=FOLDER"],
            call: Call(
                tool: "get_text_file_contents",
                values: #"{"files":[{"file_path":"FOLDER/note.md","ranges":[{"start":1}]}]}"#,
                expected: "# Title"
            ),
            refused: Call(
                tool: "get_text_file_contents",
                values: #"{"files":[{"file_path":"OUTSIDE/etc/intentd.conf","ranges":[{"start":1}]}]}"#,
                expected: "not found"
            )
        ),
        ForeignServer(
            name: "server-code-index",
            package: "code-index-mcp",
            program: "code-index-mcp",
            grants: ["ReadPaths=FOLDER"],
            call: Call(tool: "set_project_path", values: #"{"path":"FOLDER"}"#, expected: "granted"),
            refused: Call(
                tool: "set_project_path",
                values: #"{"path":"OUTSIDE/etc"}"#,
                expected: "does not exist"
            )
        ),
        ForeignServer(
            name: "server-excel",
            package: "excel-mcp-server",
            program: "excel-mcp-server",
            arguments: ["stdio"],
            call: Call(tool: "create_workbook", values: #"{"path":"/tmp/a.xlsx"}"#, expected: "a.xlsx")
        ),
        ForeignServer(
            name: "server-word",
            package: "office-word-mcp-server",
            program: "word_mcp_server",
            call: Call(tool: "create_document", values: #"{"filename":"/tmp/a.docx"}"#, expected: "a.docx"),
            refused: Call(
                tool: "create_document",
                values: #"{"filename":"/usr/a.docx"}"#,
                expected: "not writeable",
                isText: true
            )
        ),
        ForeignServer(
            name: "server-powerpoint",
            package: "office-powerpoint-mcp-server",
            program: "ppt_mcp_server",
            call: Call(tool: "create_presentation", values: "{}", expected: "presentation_1")
        ),
        ForeignServer(
            name: "server-markitdown",
            package: "markitdown-mcp",
            program: "markitdown-mcp",
            call: Call(tool: "convert_to_markdown", values: #"{"uri":"data:text/html,<h1>Hi</h1>"}"#, expected: "Hi"),
            refused: Call(
                tool: "convert_to_markdown",
                values: #"{"uri":"file:///etc/shadow"}"#,
                expected: "No such file"
            )
        ),
    ]

    private static let data = [
        ForeignServer(
            name: "server-sqlite",
            package: "mcp-server-sqlite",
            program: "mcp-server-sqlite",
            arguments: ["--db-path", "/tmp/x.db"],
            call: Call(tool: "read_query", values: #"{"query":"SELECT 6*7 AS n"}"#, expected: "42")
        ),
        ForeignServer(
            name: "server-duckdb",
            package: "mcp-server-duckdb",
            program: "mcp-server-duckdb",
            arguments: ["--db-path", "/tmp/x.duckdb"],
            call: Call(tool: "query", values: #"{"query":"SELECT 6*7 AS n"}"#, expected: "42"),
            refused: Call(
                tool: "query",
                values: #"{"query":"SELECT * FROM read_csv('OUTSIDE/granted/table.csv')"}"#,
                expected: "No files found",
                isText: true
            )
        ),
        ForeignServer(
            name: "server-motherduck",
            package: "mcp-server-motherduck",
            program: "mcp-server-motherduck",
            arguments: ["--db-path", ":memory:", "--read-write"],
            call: Call(tool: "execute_query", values: #"{"sql":"SELECT 6*7 AS n"}"#, expected: "42"),
            refused: Call(
                tool: "execute_query",
                values: #"{"sql":"SELECT * FROM read_csv('OUTSIDE/granted/table.csv')"}"#,
                expected: "No files found"
            )
        ),
        ForeignServer(
            name: "server-alchemy",
            package: "mcp-alchemy",
            program: "mcp-alchemy",
            environment: ["DB_URL=sqlite:////tmp/x.db"],
            call: Call(tool: "execute_query", values: #"{"query":"SELECT 6*7 AS n"}"#, expected: "42")
        ),
        ForeignServer(
            name: "server-clock",
            package: "mcp-simple-timeserver",
            program: "mcp-simple-timeserver",
            call: Call(tool: "get_local_time", values: "{}", expected: "20")
        ),
    ]

    /// What needs a network, which is not granted.
    private static let hosts = [
        ForeignServer(
            name: "server-fetch",
            package: "mcp-server-fetch",
            program: "mcp-server-fetch",
            call: Call(
                tool: "fetch",
                values: #"{"url":"http://192.0.2.7/"}"#,
                expected: "Refused to fetch",
                fails: true
            )
        ),
        ForeignServer(
            name: "server-arxiv",
            package: "arxiv-mcp-server",
            program: "arxiv-mcp-server",
            call: Call(tool: "list_papers", values: "{}", expected: "papers"),
            refused: Call(tool: "get_abstract", values: #"{"paper_id":"1706.03762"}"#, expected: "rror")
        ),
        ForeignServer(
            name: "server-wikipedia",
            package: "wikipedia-mcp",
            program: "wikipedia-mcp",
            call: Call(tool: "test_wikipedia_connectivity", values: "{}", expected: "failed")
        ),
        ForeignServer(
            name: "server-duckduckgo",
            package: "duckduckgo-mcp-server",
            program: "duckduckgo-mcp-server",
            call: Call(tool: "search", values: #"{"query":"intents"}"#, expected: "No results")
        ),
        ForeignServer(
            name: "server-kubernetes",
            package: "mcp-server-kubernetes",
            program: "mcp-server-kubernetes",
            call: Call(tool: "kubectl_get_by_name", values: #"{"name":"web"}"#, expected: "kubectl", fails: true)
        ),
    ]

    /// What starts programs.
    private static let programs = [
        ForeignServer(
            name: "server-shell",
            package: "mcp-shell-server",
            program: "mcp-shell-server",
            // The description lists what is allowed in the order of a set.
            environment: ["ALLOW_COMMANDS=id,cat", "PYTHONHASHSEED=0"],
            call: Call(tool: "shell_execute", values: #"{"command":["id"],"directory":"/tmp"}"#, expected: "app"),
            refused: Call(
                tool: "shell_execute",
                values: #"{"command":["cat","/etc/shadow"],"directory":"/tmp"}"#,
                expected: "No such file"
            )
        ),
        ForeignServer(
            name: "server-commands",
            package: "cli-mcp-server",
            program: "cli-mcp-server",
            environment: ["ALLOWED_DIR=/tmp", "PYTHONHASHSEED=0"],
            call: Call(tool: "run_command", values: #"{"command":"pwd"}"#, expected: "/tmp")
        ),
    ]
}
