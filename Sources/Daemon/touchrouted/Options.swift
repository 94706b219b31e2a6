import CLinux
import CTouchroute
import Configuration
import Glibc
import Logging
import TouchInput

/// The command line, as getopt_long reads it.
struct Options: Equatable {
  /// What is wrong with a command line.
  struct Mistake: Error, Equatable {
    /// A sentence without its full stop.
    var sentence: String
  }

  /// What is to be done.
  enum Action: Equatable {
    case run
    case check
    case help
    case version
  }

  var action = Action.run
  var configuration = Configuration.defaultPath
  var source = LibinputSeat.Source.seat("seat0")
  var socket = TOUCHROUTE_SOCKET_PATH
  var controlSocket = TOUCHROUTE_CONTROL_SOCKET_PATH
  var logLevel = Logger.Level.info
  /// Whether a start with invalid files fails, even if a configuration is kept.
  var isStrict = false

  /// The options by their names; the raw value is what getopt_long returns for one.
  private enum Key: Int32, CaseIterable {
    case config = 256
    case seat, device, socket, controlSocket, logLevel, strict, check, help, version

    /// Written in full: asking the runtime for the names of the cases took a tenth of the start.
    var name: String {
      switch self {
      case .config: "config"
      case .seat: "seat"
      case .device: "device"
      case .socket: "socket"
      case .controlSocket: "control-socket"
      case .logLevel: "log-level"
      case .strict: "strict"
      case .check: "check"
      case .help: "help"
      case .version: "version"
      }
    }

    var takesValue: Bool {
      switch self {
      case .strict, .check, .help, .version: false
      case .config, .seat, .device, .socket, .controlSocket, .logLevel: true
      }
    }
  }

  /// Reads the arguments. The first one is the program's name.
  init(arguments: [String]) throws(Mistake) {
    var seat: String?
    var devices: [String] = []
    for (key, value) in try Self.parse(arguments) {
      switch key {
      case .config: configuration = value
      case .seat: seat = value
      case .device: devices.append(value)
      case .socket: socket = value
      case .controlSocket: controlSocket = value
      case .logLevel: logLevel = try Self.level(value)
      case .strict: isStrict = true
      case .check: action = .check
      case .help: action = .help
      case .version: action = .version
      }
    }
    guard seat == nil || devices.isEmpty else {
      throw Mistake(sentence: "--seat and --device exclude each other")
    }
    if let seat { source = .seat(seat) }
    if !devices.isEmpty { source = .nodes(devices) }
    guard socket != controlSocket else {
      throw Mistake(sentence: "--socket and --control-socket are both \"\(socket)\"")
    }
  }

  /// The options in the order given, each with its value, or with an empty one if it takes none.
  private static func parse(
    _ arguments: [String]
  ) throws(Mistake) -> [(key: Key, value: String)] {
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var table = Key.allCases.map { key in
      option(
        name: UnsafePointer(strdup(key.name)), has_arg: key.takesValue ? 1 : 0, flag: nil,
        val: key.rawValue)
    }
    table.append(option())
    // getopt_long reorders argv, so the strings are freed by their original addresses.
    let strings = argv + table.map { UnsafeMutablePointer(mutating: $0.name) }
    defer { for string in strings { free(string) } }

    var options: [(key: Key, value: String)] = []
    var next: Int32 = 0
    let count = Int32(arguments.count)
    while true {
      var value: UnsafePointer<CChar>?
      let found = clinux_next_option(count, &argv, table, &value, &next)
      if found == -1 { break }
      guard let key = Key(rawValue: found) else {
        throw mistake(found, argv[Int(next) - 1].map { String(cString: $0) } ?? "")
      }
      let text = value.map { String(cString: $0) } ?? ""
      guard !key.takesValue || !text.isEmpty else {
        throw Mistake(sentence: "--\(key.name) has no value")
      }
      options.append((key, text))
    }
    if Int(next) < arguments.count, let extra = argv[Int(next)] {
      throw Mistake(sentence: "\"\(String(cString: extra))\" is no option")
    }
    return options
  }

  private static func mistake(_ result: Int32, _ argument: String) -> Mistake {
    let isMissingValue = result == Int32(UInt8(ascii: ":"))
    return Mistake(
      sentence: isMissingValue ? "\(argument) has no value" : "\"\(argument)\" is no option")
  }

  private static func level(_ text: String) throws(Mistake) -> Logger.Level {
    if let level = Logger.Level(rawValue: text) { return level }
    let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
    throw Mistake(sentence: "\"\(text)\" is no log level: \(levels)")
  }
}
