import Examination
import TouchInput
import TouchModel

/// An examination for people, and as a line of JSON.
struct DoctorReport: Encodable {
  var id: String
  var name: String
  /// The `[[device]]` that is proposed, line by line; none for a good panel.
  var proposal: [String]?
  /// What the proposal does not mend, though a filter should.
  var remaining: [String]
  var summary: String
  var verdicts: [Entry]
  /// What was found of one thing.
  struct Entry: Encodable {
    var fault: String
    var text: String
    var verdict: String
  }

  init(_ examination: Examination, of device: DeviceDescription) {
    id = device.id
    name = device.name
    summary = examination.summary
    remaining = examination.remaining.map(\.rawValue)
    verdicts = examination.verdicts.map {
      Entry(fault: $0.fault.rawValue, text: $0.sentence, verdict: $0.level.rawValue)
    }
    guard !examination.settings.isOff else { return }
    proposal =
      Prescription(
        examination.settings, name: device.name, vendor: device.vendor, product: device.product
      ).lines
  }

  /// Whether no fault was found.
  var isWell: Bool { verdicts.allSatisfy { $0.verdict != "bad" } }

  var lines: [String] {
    let width = verdicts.map(\.fault.count).max() ?? 0
    var lines = ["\(name.isEmpty ? "a touchscreen" : name) (\(id)): \(summary)"]
    lines += verdicts.map { entry in
      let name = entry.fault.map { $0 == "_" ? " " : $0 }
      let word = String(name) + String(repeating: " ", count: width - name.count)
      let level = entry.verdict + String(repeating: " ", count: 7 - entry.verdict.count)
      return "  \(word)  \(level)  \(entry.text)"
    }
    if let proposal {
      lines.append(
        remaining.isEmpty
          ? "with this in the configuration, none of what a filter can mend is left:"
          : "this mends some of it; left are \(remaining.joined(separator: ", ")):")
      lines += [""] + proposal + [""]
    } else {
      lines.append(isWell ? "nothing is wrong with it" : "no filter mends that")
    }
    return lines
  }
}
