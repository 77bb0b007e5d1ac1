import AppIntents

/// An app with 200 generated intents, to measure the cost of each. They differ only in their names.
@main
struct BenchmarkLargeApp: AppIntentsExtension {}

/// The common part of the intents. Each intent also conforms to `AppIntent` directly, as in real apps.
protocol Numbered: AppIntent {
    var number: Int { get }
}

extension Numbered {
    func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: number + 1) }
}

struct I001: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 001"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I002: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 002"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I003: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 003"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I004: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 004"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I005: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 005"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I006: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 006"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I007: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 007"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I008: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 008"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I009: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 009"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I010: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 010"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I011: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 011"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I012: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 012"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I013: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 013"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I014: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 014"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I015: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 015"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I016: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 016"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I017: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 017"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I018: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 018"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I019: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 019"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I020: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 020"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I021: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 021"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I022: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 022"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I023: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 023"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I024: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 024"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I025: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 025"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I026: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 026"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I027: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 027"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I028: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 028"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I029: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 029"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I030: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 030"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I031: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 031"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I032: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 032"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I033: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 033"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I034: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 034"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I035: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 035"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I036: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 036"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I037: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 037"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I038: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 038"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I039: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 039"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I040: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 040"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I041: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 041"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I042: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 042"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I043: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 043"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I044: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 044"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I045: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 045"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I046: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 046"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I047: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 047"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I048: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 048"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I049: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 049"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I050: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 050"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I051: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 051"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I052: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 052"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I053: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 053"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I054: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 054"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I055: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 055"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I056: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 056"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I057: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 057"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I058: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 058"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I059: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 059"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I060: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 060"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I061: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 061"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I062: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 062"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I063: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 063"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I064: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 064"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I065: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 065"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I066: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 066"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I067: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 067"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I068: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 068"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I069: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 069"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I070: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 070"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I071: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 071"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I072: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 072"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I073: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 073"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I074: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 074"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I075: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 075"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I076: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 076"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I077: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 077"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I078: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 078"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I079: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 079"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I080: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 080"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I081: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 081"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I082: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 082"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I083: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 083"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I084: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 084"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I085: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 085"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I086: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 086"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I087: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 087"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I088: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 088"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I089: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 089"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I090: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 090"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I091: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 091"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I092: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 092"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I093: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 093"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I094: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 094"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I095: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 095"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I096: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 096"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I097: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 097"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I098: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 098"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I099: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 099"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I100: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 100"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I101: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 101"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I102: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 102"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I103: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 103"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I104: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 104"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I105: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 105"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I106: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 106"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I107: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 107"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I108: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 108"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I109: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 109"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I110: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 110"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I111: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 111"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I112: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 112"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I113: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 113"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I114: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 114"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I115: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 115"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I116: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 116"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I117: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 117"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I118: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 118"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I119: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 119"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I120: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 120"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I121: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 121"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I122: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 122"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I123: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 123"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I124: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 124"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I125: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 125"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I126: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 126"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I127: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 127"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I128: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 128"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I129: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 129"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I130: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 130"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I131: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 131"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I132: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 132"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I133: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 133"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I134: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 134"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I135: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 135"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I136: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 136"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I137: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 137"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I138: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 138"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I139: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 139"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I140: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 140"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I141: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 141"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I142: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 142"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I143: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 143"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I144: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 144"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I145: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 145"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I146: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 146"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I147: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 147"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I148: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 148"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I149: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 149"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I150: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 150"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I151: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 151"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I152: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 152"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I153: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 153"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I154: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 154"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I155: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 155"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I156: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 156"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I157: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 157"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I158: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 158"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I159: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 159"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I160: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 160"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I161: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 161"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I162: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 162"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I163: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 163"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I164: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 164"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I165: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 165"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I166: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 166"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I167: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 167"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I168: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 168"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I169: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 169"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I170: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 170"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I171: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 171"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I172: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 172"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I173: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 173"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I174: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 174"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I175: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 175"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I176: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 176"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I177: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 177"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I178: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 178"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I179: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 179"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I180: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 180"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I181: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 181"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I182: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 182"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I183: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 183"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I184: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 184"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I185: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 185"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I186: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 186"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I187: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 187"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I188: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 188"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I189: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 189"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I190: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 190"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I191: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 191"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I192: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 192"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I193: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 193"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I194: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 194"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I195: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 195"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I196: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 196"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I197: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 197"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I198: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 198"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I199: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 199"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
struct I200: AppIntent, Numbered {
    static let title: LocalizedStringResource = "Add one, 200"
    @Parameter(title: "Number") var number: Int
    @Parameter(title: "Text", default: "x") var text: String
}
