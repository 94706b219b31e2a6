import ArgumentParser
import Glibc

/// `touchroute output mqtt`: taps and gestures for a broker.
struct MqttOutput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mqtt",
    abstract: "Sends a responder's taps and gestures to an MQTT broker, as JSON.",
    discussion: """
      It publishes three topics in touchroute/NAME/PATH/. tap is a touch that was lifted where it \
      came down. gesture is what a recognizer of the configuration recognized, in every state but \
      changed. availability is online or offline; it is retained, and also the last will.

      It reconnects whenever it must. What happens meanwhile is never sent later. The password \
      comes from a file, or under systemd from the credential mqtt-password. The command comes \
      with the package touchroute-mqtt.

      Examples:
        touchroute output mqtt home --to broker.local
        touchroute output mqtt --wait home --to broker.local --tls \\
          --user panel --password-file /etc/touchroute/mqtt-password
        touchroute output mqtt home --to 192.168.1.5:1883 --home-assistant
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: """
      The broker: HOST, HOST:PORT or, with an IPv6 address, [ADDRESS]:PORT. The port is from 1 to \
      65535; by default it is 1883, with TLS 8883.
      """,
    transform: NetworkAddress.init)
  var to: NetworkAddress

  @Option(help: "This machine's name in the topics. By default its host name.")
  var name: String?

  @Option(help: "The user name at the broker.")
  var user: String?

  @Option(help: "A file whose first line is the password.", completion: .file())
  var passwordFile: String?

  @OptionGroup var encryption: EncryptionOptions

  @Option(help: "The quality of service: 0, at most once, or 1, at least once.")
  var qos = 0

  @Flag(help: "Publish a description at homeassistant/event/..., which Home Assistant finds.")
  var homeAssistant = false

  @OptionGroup var holding: HoldingOptions

  @Argument(help: "The responder's path.", completion: Completions.responders)
  var path: String

  func validate() throws {
    // Longer ones leave the topics no room.
    guard (1...700).contains(path.utf8.count) else {
      throw ValidationError("The path must be 1 to 700 bytes long.")
    }
    if let name, !Self.isTopicPart(name) {
      throw ValidationError(
        "--name must be 1 to 200 of the characters A-Z a-z 0-9 _ . -, and \(name) is not.")
    }
    guard (0...1).contains(qos) else { throw ValidationError("--qos must be 0 or 1.") }
    guard user != nil || passwordFile == nil else {
      throw ValidationError("--password-file needs --user.")
    }
  }

  /// Goes on as a program of its own, which alone needs the library.
  func run() throws {
    let machine = try name ?? hostName()
    try OwnProgram.become(
      "touchroute-mqtt", of: "touchroute-mqtt",
      [
        socket.socket ?? "", path, to.host, "\(to.port ?? (encryption.tls ? 8883 : 1883))", machine,
        user ?? "", passwordFile ?? "", encryption.caFile ?? "", encryption.certFile ?? "",
        encryption.keyFile ?? "",
        encryption.tls ? "1" : "0", "\(qos)", homeAssistant ? "1" : "0", "\(holding.number)",
      ])
  }

  private func hostName() throws -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else {
      throw Failure("There is no host name: give a --name.")
    }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard Self.isTopicPart(name) else {
      throw Failure("The host name \(name) can't be part of a topic: give a --name.")
    }
    return name
  }

  private static func isTopicPart(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-".utf8.contains(byte)
      }
  }
}

/// How the connection to a broker is encrypted.
struct EncryptionOptions: ParsableArguments {
  @Flag(help: "Encrypt the connection, and check the broker's certificate.")
  var tls = false

  @Option(
    help: "A file of authorities to trust. By default the system's.", completion: .file())
  var caFile: String?

  @Option(help: "This machine's own certificate.", completion: .file())
  var certFile: String?

  @Option(help: "The key of that certificate.", completion: .file())
  var keyFile: String?

  func validate() throws {
    guard tls || (caFile ?? certFile ?? keyFile) == nil else {
      throw ValidationError("--ca-file, --cert-file and --key-file need --tls.")
    }
    guard (certFile == nil) == (keyFile == nil) else {
      throw ValidationError("--cert-file and --key-file need each other.")
    }
  }
}
