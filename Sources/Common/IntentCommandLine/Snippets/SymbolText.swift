import IntentSharedTypes

/// Maps symbol names to characters for a terminal.
enum SymbolText {
    /// Returns a character for a symbol. If the table does not contain the name, returns the character of its longest
    /// prefix in the table, such as `heart` for `heart.fill`, or else a bullet.
    static func of(_ name: String) -> String {
        var parts = name.prefix(scalars: 100).split(scalar: ".")
        while !parts.isEmpty {
            if let text = table[parts.joined(separator: ".")] { return text }
            parts.removeLast()
        }
        return "•"
    }

    private static let table: [String: String] = [
        "checkmark": "✓", "xmark": "✗", "plus": "+", "minus": "-", "multiply": "×", "divide": "÷", "equal": "=",
        "questionmark": "?", "exclamationmark": "!", "info": "i", "number": "#", "percent": "%", "at": "@",
        "star": "★", "heart": "♥", "heart.slash": "♡", "circle": "●", "square": "■", "triangle": "▲", "diamond": "◆",
        "flag": "⚑", "bolt": "↯", "sun": "☀", "moon": "☾", "cloud": "☁", "snowflake": "❄", "drop": "💧", "flame": "🔥",
        "leaf": "🍃", "umbrella": "☂", "thermometer": "🌡", "arrow.up": "↑", "arrow.down": "↓", "arrow.left": "←",
        "arrow.right": "→", "arrow.clockwise": "↻", "arrow.counterclockwise": "↺", "arrow.up.right": "↗",
        "arrow.down.right": "↘", "chevron.up": "˄", "chevron.down": "˅", "chevron.left": "‹", "chevron.right": "›",
        "chevron.backward": "‹", "chevron.forward": "›", "play": "▶", "pause": "‖", "stop": "■", "forward": "»",
        "backward": "«", "music.note": "♪", "speaker": "🔊", "phone": "☎", "envelope": "✉", "message": "💬",
        "bubble": "💬", "bell": "🔔", "lock": "🔒", "lock.open": "🔓", "key": "🔑", "person": "👤", "figure": "👤",
        "house": "⌂", "cart": "🛒", "bag": "👜", "creditcard": "💳", "gift": "🎁", "fork.knife": "🍴",
        "cup.and.saucer": "☕", "takeoutbag.and.cup.and.straw": "🥡", "car": "🚗", "bus": "🚌", "tram": "🚋",
        "bicycle": "🚲", "airplane": "✈", "mappin": "📍", "location": "📍", "map": "🗺", "globe": "🌐",
        "clock": "🕒", "timer": "⏱", "alarm": "⏰", "calendar": "📅", "hourglass": "⌛", "pencil": "✎", "trash": "🗑",
        "folder": "📁", "doc": "📄", "book": "📖", "bookmark": "🔖", "tag": "🏷", "paperclip": "📎", "link": "🔗",
        "photo": "🖼", "camera": "📷", "gear": "⚙", "gearshape": "⚙", "wrench": "🔧", "hammer": "🔨",
        "magnifyingglass": "🔍", "list.bullet": "≡", "ellipsis": "…", "chart": "📈", "battery": "🔋", "wifi": "📶",
        "desktopcomputer": "🖥", "laptopcomputer": "💻", "iphone": "📱", "printer": "🖨", "sparkles": "✨",
        "eye": "👁", "hand.thumbsup": "👍", "hand.thumbsdown": "👎", "dollarsign": "$", "eurosign": "€",
        "sterlingsign": "£", "yensign": "¥",
    ]
}
