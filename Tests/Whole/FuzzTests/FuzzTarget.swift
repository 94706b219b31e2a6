import CFuzzClient

/// What is fuzzed, by the names that `scripts/fuzz` takes. Each has a folder of inputs in Corpora.
enum FuzzTarget: String, CaseIterable {
  /// Programs that say anything on either socket, and fingers beside them: see ``WireInput``.
  case wire
  /// The text of a configuration, and touches on the layout that it makes.
  case configuration
  /// A script of `touchroute inject`, and the frames of it.
  case inject
  /// A file of evemu's or libinput's, which is played and examined.
  case recording
  /// A record, which is played and compared.
  case record
  /// What a daemon is left by the one before it: see ``HandoverInput``.
  case handover
  /// What a daemon may say to the C library. A last byte beyond a multiple of 8 is not said, but
  /// seeds what the program does meanwhile.
  case client

  /// Does with the input what the world would.
  ///
  /// - Throws: a ``Finding``, where something came of it that must not; a crash is one too.
  func run(_ input: [UInt8]) throws {
    switch self {
    case .wire:
      var wire = try WireInput(input)
      try wire.play()
    case .configuration: try ConfigurationInput(input).play()
    case .inject: try InjectInput(input).play()
    case .recording: try RecordingInput(input).play()
    case .record: try RecordInput(input).play()
    case .handover: try HandoverInput(input).play()
    case .client: try Self.playToClient(input)
    }
  }

  private static func playToClient(_ input: [UInt8]) throws {
    let hasSeed = input.count % 8 == 1
    let seed = hasSeed ? UInt64(input[input.count - 1]) : 0
    let size = hasSeed ? input.count - 1 : input.count
    let fault = input.withUnsafeBufferPointer { cfuzzclient_play($0.baseAddress, size, seed) }
    if let fault { throw Finding(String(cString: fault)) }
  }
}
