import IntentCommandLine
import IntentLinux
import IntentProtocol

/// The lists of the server that can change while a client is connected.
enum ChangingList: String, CaseIterable, Hashable {
    case tools
    case prompts

    /// The method of the notification that the list has changed.
    var method: String { "notifications/\(rawValue)/list_changed" }
    /// The member of a subscription's filter that requests the notification.
    var filterKey: String { "\(rawValue)ListChanged" }
}

// Tells clients that the lists have changed, because apps have changed. A client with a handshake is told without a request.
// Since revision 2026-07-28, a client requests the notifications with `subscriptions/listen`, which the server answers
// when the subscription ends.
extension MCPServer {
    /// The member of `_meta` that names the subscription of a message.
    static let subscriptionKey = "io.modelcontextprotocol/subscriptionId"

    /// Opens a subscription, and acknowledges the notifications that the server will send.
    mutating func listen(_ request: RPCRequest, _ context: RequestContext) throws(RPCError) {
        guard let filter = request.params["notifications"]?.object else {
            throw RPCError(.invalidParams, "notifications: expected an object")
        }
        guard open.count < Self.requestLimit else {
            throw RPCError(.internalError, "too many open requests: wait for responses")
        }
        let lists = Set(ChangingList.allCases.filter { filter[$0.filterKey] == .bool(true) })
        begin(request.id, context, .subscription(lists))
        let honored = lists.map { ($0.filterKey, JSONValue.bool(true)) }
        notify(
            "notifications/subscriptions/acknowledged",
            of: request.id,
            ["notifications": .object(Dictionary(uniqueKeysWithValues: honored))]
        )
        guard !lists.isEmpty else { return }
        // A change is a difference from a table, so the first table must be from now.
        if table == nil { checkApps() } else if appsCheck == nil { appsCheck = now + Self.appsInterval }
    }

    /// Ends all subscriptions when the server exits.
    mutating func endSubscriptions() {
        for (id, request) in open where request.purpose.lists != nil {
            answer(id, ["_meta": [Self.subscriptionKey: id.json]])
        }
    }

    /// True if a client is told that lists have changed.
    var tellsChanges: Bool { handshake != nil || open.values.contains { $0.purpose.lists?.isEmpty == false } }

    /// Tells clients that the lists have changed, if they differ from the lists of the current table.
    mutating func noteChange(to new: ToolTable) {
        appsCheck = tellsChanges ? now + Self.appsInterval : nil
        guard let table, table.apps != new.apps, table.isListed(differentlyFrom: new) else { return }
        for list in ChangingList.allCases {
            for (id, request) in open where request.purpose.lists?.contains(list) == true {
                notify(list.method, of: id, [:])
            }
            // A client with a handshake that waits for a list receives it.
            guard handshake != nil, waitingForApps.isEmpty else { continue }
            act(.send(["jsonrpc": "2.0", "method": .string(list.method)]))
        }
    }

    /// Loads the apps again to find out whether they have changed.
    mutating func checkApps() {
        appsCheck = nil
        if !isLoadingApps { act(.loadApps) }
        isLoadingApps = true
    }

    private mutating func notify(_ method: String, of subscription: RPCID, _ params: [String: JSONValue]) {
        var params = params
        params["_meta"] = [Self.subscriptionKey: subscription.json]
        act(.send(["jsonrpc": "2.0", "method": .string(method), "params": .object(params)]))
    }
}
