import TouchModel

/// What `touchroute list-devices` says of one input device.
package struct DeviceReport: Equatable, Sendable {
  /// What is known of it.
  package var description: DeviceDescription
  /// Whether it gives touches, and if not, why.
  package var verdict: DeviceVerdict
  /// What the configuration makes of it; nil where it is no touchscreen to udev, and without a
  /// configuration.
  package var assignment: DeviceAssignment?
  /// The name of the screen that it maps to, with the assignment.
  package var screen: String?
  /// The udev rule that would correct it, where one would: a line for a file in /etc/udev/rules.d.
  package var udevRule: String?

  /// Who has it open; nil where only root would see that.
  package var readers: [NodeReader]?

  /// Takes the offer of a rule back where the device is the second node, a mouse's, of a panel
  /// that has a node for touches.
  mutating func discountSibling(of touchscreens: [DeviceDescription]) {
    guard case .mistaken = verdict, description.hasTag("ID_INPUT_MOUSE"),
      let touchscreen = touchscreens.first(where: { description.isSibling(of: $0) })
    else { return }
    verdict = .other("a mouse's node of the touchscreen \(touchscreen.label)")
    udevRule = nil
  }

  /// Whether it gives touches, rules of the configuration apart.
  package var isTouchscreen: Bool { verdict == .touchscreen }

  /// All of it in sentences, one an element, without a full stop.
  package var sentences: [String] {
    [verdictSentence] + (assignment.map { [sentence(of: $0)] } ?? []) + readerSentences + remedy
  }

  private var verdictSentence: String {
    switch verdict {
    case .touchscreen: "touchscreen\(contacts)\(size)"
    case .unreachable(let why): "touchscreen, but \(why)"
    case .refused(let why): "touchscreen to udev, but libinput refuses it: \(why)"
    case .mistaken(let why): "no touchscreen to udev, though it looks like one: \(why)"
    case .unknown: "udev has not looked at it (yet): does systemd-udevd run?"
    case .output(let name):
      "the virtual touchscreen of touchroute output uinput for \"\(name.printable())\", which "
        + "touchrouted never reads"
    case .other(let kind): "\(kind), not a touchscreen"
    }
  }

  private var contacts: String {
    switch description.touchCount {
    case nil: ""
    case 0: ", which does not say for how many fingers"
    case 1: " for one finger"
    case .some(let count) where count > Self.followed:
      " for \(count) fingers (libinput follows \(Self.followed))"
    case .some(let count): " for \(count) fingers"
    }
  }

  /// So many contacts libinput follows on all touchscreens of a seat: it keeps a bit for each.
  private static let followed = 32

  private var size: String {
    guard let size = description.sizeMillimetres else { return "" }
    return ", \(Int(size.width.rounded())) x \(Int(size.height.rounded())) mm"
  }

  private func sentence(of assignment: DeviceAssignment) -> String {
    assignment.sentence(screen: screen ?? "?")
  }

  /// Of a touchscreen who reads it beside the daemon, of a virtual one who reads it.
  private var readerSentences: [String] {
    let programs = (readers ?? []).filter { !$0.isDaemon }.map { "\($0.name) (pid \($0.pid))" }
    guard !programs.isEmpty else { return [] }
    switch verdict {
    case .output: return ["read by \(programs.joined(separator: ", "))"]
    case .other: return []
    case .touchscreen, .unreachable, .refused, .mistaken, .unknown: break
    }
    let grabbed = assignment.map { $0.grab && !$0.ignore } ?? false
    return programs.map { program in
      grabbed
        ? "\(program) has it open too, and gets nothing of it while touchrouted grabs it"
        : "\(program) has it open too, and gets every touch: integrating.md says how nobody but "
          + "touchrouted reads it"
    }
  }

  private var remedy: [String] {
    guard let udevRule else { return [] }
    return [
      "if it is a touchscreen, this line in /etc/udev/rules.d/\(UdevRule.fileName) corrects that, "
        + "after udevadm control --reload, udevadm trigger --action=change "
        + "--subsystem-match=input and a "
        + "restart of touchrouted: \(udevRule)"
    ]
  }
}
