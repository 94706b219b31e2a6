import TouchModel

/// Two programs and one on the control socket that mean ill, and fingers on two screens, as the
/// bytes of an input say: a sequence of steps. The first byte of a step is who and what: its bits 4
/// and 5 name one of the programs, or a screen; its bits 0 to 2 are a ``Verb``; with bit 7 the
/// daemon is not let work before the next step.
struct WireInput {
  /// What happens in a step; and the bytes that follow.
  private enum Verb: UInt8 {
    /// A request of the right size: its opcode, how many times 8 bytes follow the header, and
    /// those.
    case request = 0
    /// Bytes as they are: how many, and those.
    case babble
    /// A finger: its slot in bits 0 to 2 and what it does in bits 3 and 4, then its x and y, in
    /// units of 4 and 2 points.
    case finger
    /// Time passes: how much, in units of 10 ms.
    case wait
    /// The program reads no more, or reads again.
    case stall
    /// It hangs up and comes again: 0 without a hello.
    case reconnect
    /// It hangs up amid what it says.
    case leave
    /// A request of the right size, 255 times in a row.
    case flood
  }

  private var reader: InputReader
  private let daemon: FuzzedDaemon
  private let programs: [HostileProgram]

  /// Steps that are taken; those behind are left out, so that an input takes an end.
  private static let mostSteps = 64

  init(_ input: [UInt8]) throws {
    reader = InputReader(input)
    daemon = try FuzzedDaemon(House.configuration())
    programs = [daemon.clientSocket, daemon.clientSocket, daemon.controlSocket]
      .map { HostileProgram($0) }
    for program in programs { try program.come(withHello: true) }
  }

  mutating func play() throws {
    for _ in 0..<Self.mostSteps {
      guard let step = reader.next() else { break }
      try take(step)
      if step & 0x80 == 0 { try settle() }
    }
    try settle()
    for program in programs { program.leave() }
    try daemon.check()
  }

  private mutating func take(_ step: UInt8) throws {
    let who = Int(step >> 4 & 3) % programs.count
    let program = programs[who]
    guard let verb = Verb(rawValue: step & 7), let first = reader.next() else { return }
    switch verb {
    case .request: program.say(opcode: first, body())
    case .babble: program.say(reader.next(Int(first)))
    case .finger:
      let point = Point(x: Double(reader.next() ?? 0) * 4, y: Double(reader.next() ?? 0) * 2)
      let does: [FuzzedDaemon.Finger] = [.down(point), .moved(point), .up, .cancelled]
      daemon.touch(screen: who & 1, [(Int32(first & 7), does[Int(first >> 3 & 3)])])
    case .wait: try daemon.advance(milliseconds: UInt64(first) * 10)
    case .stall: program.isReading = first & 1 == 0
    case .reconnect:
      program.leave()
      try program.come(withHello: first != 0)
    case .leave: program.leave()
    case .flood:
      let body = body()
      for _ in 0..<255 { program.say(opcode: first, body) }
    }
  }

  /// What follows the header of a request, its serial not 0, which would be refused at once.
  private mutating func body() -> [UInt8] {
    var body = reader.next(8 * Int(reader.next() ?? 0))
    body += [UInt8](repeating: 0, count: (8 - body.count % 8) % 8)
    if body.count >= 4, body[..<4].allSatisfy({ $0 == 0 }) { body[0] = 1 }
    return body
  }

  private func settle() throws {
    try daemon.settle()
    for program in programs { try program.read() }
  }
}
