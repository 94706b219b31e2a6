import DaemonSupport
import Foundation
import TestSupport
import TouchClient
import TouchModel

/// A daemon, `touchroute inspect`, and who looks at its page.
final class Inspection {
  let daemon: DaemonProcess?
  private(set) var inspect: RunningProgram
  let port: UInt16
  /// `/TOKEN/`.
  private(set) var folder: String
  var address: String { "http://127.0.0.1:\(port)\(folder)" }

  /// A layout of two screens.
  static let layout = """
    [screen.panel]
    size = [800, 480]
    [screen.door]
    size = [480, 800]
    [[window]]
    name = "home"
    [[view]]
    path = "home/dial"
    frame = [100, 100, 200, 200]
    [[view]]
    path = "home/pin"
    frame = [500, 0, 100, 100]
    secure = true
    [[window]]
    name = "media"
    frame = [400, 200, 400, 280]
    [[window]]
    name = "bell"
    screen = "door"
    [[gesture]]
    view = "media"
    name = "pages"
    kind = "pan"

    """

  static let tool = Repository.program("touchroute")

  /// Of a running daemon.
  init(_ layout: String = layout, _ words: String...) throws {
    let daemon = try DaemonProcess.started(layout, arguments: DaemonProcess.withoutDevices)
    self.daemon = daemon
    inspect = try RunningProgram(
      Self.tool, ["inspect", "--port", "0"] + words,
      environment: ["TOUCHROUTE_SOCKET": daemon.socket])
    (port, folder) = try Self.address(of: inspect)
  }

  /// Of a record.
  init(file: String) throws {
    daemon = nil
    inspect = try RunningProgram(Self.tool, ["inspect", "--port", "0", file])
    (port, folder) = try Self.address(of: inspect)
  }

  deinit { inspect.kill() }

  /// Ends `touchroute inspect`, and waits until its page is not served any more.
  func stop() {
    inspect.kill()
    for _ in 0..<3000 {
      guard (try? connect()) != nil else { break }
      usleep(10_000)
    }
  }

  /// Starts it again, on the port where it was.
  func restart() throws {
    inspect = try RunningProgram(
      Self.tool, ["inspect", "--port", "\(port)"],
      environment: ["TOUCHROUTE_SOCKET": daemon?.socket ?? ""])
    folder = try Self.address(of: inspect).1
  }

  private static func address(of inspect: RunningProgram) throws -> (UInt16, String) {
    for _ in 0..<3000 {
      guard inspect.lines.isEmpty && inspect.isRunning else { break }
      usleep(10_000)
    }
    guard let line = inspect.lines.first, let url = URLComponents(string: line),
      let port = url.port
    else { throw Missing("touchroute inspect has printed no address: \(inspect.errors)") }
    return (UInt16(port), url.path)
  }

  /// What the kernel says of the process that serves the page, by a name of its status.
  func serverStatus(_ name: String) throws -> String {
    let pid = inspect.identifier
    let children = try String(
      contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    guard let child = children.split(separator: " ").first else { throw Missing("no server") }
    let status = try String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
    else { throw Missing("no \(name)") }
    return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
  }

  func connect() throws -> RawHTTP { try RawHTTP(port: port) }

  /// Makes a request on a connection of its own.
  func request(
    _ method: String, _ path: String, _ headers: [String] = [], host: String? = nil,
    body: String = ""
  ) throws -> RawHTTP.Answer {
    let connection = try connect()
    connection.send(text(method, folder + path, headers, host: host, body: body))
    guard let answer = try connection.answer() else { throw Missing("no answer came") }
    return answer
  }

  /// A request as it is sent.
  func text(
    _ method: String, _ path: String, _ headers: [String] = [], host: String? = nil,
    body: String = ""
  ) -> String {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + length + headers
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// What the page posts.
  func post(_ path: String, _ body: String) throws -> RawHTTP.Answer {
    try request("POST", path, ["Content-Type: application/json"], body: body)
  }

  /// A page that hears what happens, past its hello.
  func listen(buffer: Int32? = nil) throws -> RawHTTP {
    let connection = try RawHTTP(port: port, buffer: buffer)
    connection.send(text("GET", folder + "events"))
    _ = try connection.head()
    return connection
  }

  func run(_ words: String...) throws -> RunningProgram.Result {
    try RunningProgram.run(
      Self.tool, words, environment: ["TOUCHROUTE_SOCKET": daemon?.socket ?? ""])
  }

  func client(_ path: String) throws -> DaemonClient {
    let client = try DaemonClient(daemon?.socket ?? "", name: path)
    _ = try client.connection.attach(to: path)
    _ = try client.next(\.geometry)
    return client
  }
}

extension RawHTTP {
  /// The next line of an event that has some text in it.
  func event(with texts: String...) throws -> String {
    let start = ContinuousClock.now
    while let line = try line() {
      // The daemon's state comes once a second, whatever else does.
      if ContinuousClock.now - start > .seconds(120) { break }
      if line.hasPrefix("data: "), texts.allSatisfy(line.contains) {
        return String(line.dropFirst("data: ".count))
      }
    }
    throw Missing("the stream has ended, or goes on without \(texts)")
  }
}
