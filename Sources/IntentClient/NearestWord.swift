internal import IntentWire

/// The word that somebody who mistyped probably meant, for programs that read command lines.
package func nearestWord(to text: String, among words: [String]) -> String? {
    NearestName.of(text, among: words)
}
