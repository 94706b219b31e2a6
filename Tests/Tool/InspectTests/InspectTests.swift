import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The page of `touchroute inspect` as what it asks of the server, by the byte.
@Suite("touchroute inspect")
struct InspectTests {
  @Test("a page is told the layout, who holds what, and each touch with who gets it and why")
  func live() throws {
    let inspection = try Inspection()
    let program = try inspection.client("media")
    let page = try inspection.listen()
    let hello = try page.event(with: "\"client\"")
    #expect(hello.contains("\"file\":false") && hello.contains("\"input\":false"))
    let header = try page.event(with: "touchroute-record")
    #expect(header.contains("\"path\":\"home/dial\"") && header.contains("\"kind\":\"pan\""))
    #expect(try page.event(with: "\"event\":\"attached\"").contains("\"name\":\"media\""))
    #expect(try page.event(with: "\"event\":\"status\"").contains("\"latencies\""))
    #expect(try inspection.run("tap", "600", "300").status == 0)
    let frame = try page.event(with: "\"began\"", "\"frame\"")
    #expect(frame.contains("\"target\":\"media\"") && frame.contains("\"outcome\":\"delivered\""))
    #expect(try page.event(with: "\"ended\"").contains("\"at\":[600,300]"))
    withExtendedLifetime(program) {}
    #expect(try inspection.run("set", "home/dial", "frame=0,0,50,50").status == 0)
    #expect(try page.event(with: "\"layout\"").contains("\"frame\":[0,0,50,50]"))
  }

  @Test("a page that comes later is told of the last minute, and no place of a secure view (F7)")
  func history() throws {
    let inspection = try Inspection()
    let program = try inspection.client("home")
    let first = try inspection.listen()
    #expect(try inspection.run("tap", "10", "10").status == 0)
    #expect(try inspection.run("tap", "550", "50").status == 0)
    _ = try first.event(with: "\"id\":2", "\"ended\"")
    let page = try inspection.listen()
    #expect(try page.event(with: "\"id\":1").contains("\"at\":[10,10]"))
    let secure = try page.event(with: "\"id\":2")
    #expect(secure.contains("\"secure\"") && !secure.contains("\"at\""))
    withExtendedLifetime(program) {}
  }

  /// The layout of a record's first line, and a place of it, as the page asks for them.
  private func drawing(_ inspection: Inspection) throws -> (svg: String, number: Int) {
    let page = try inspection.listen()
    let header = try page.event(with: "touchroute-record")
    let answer = try inspection.post("draw", header)
    try #require(answer.status == 200, "\(answer)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    return (
      try #require(object["svg"] as? String), try #require(object["drawing"] as? Int)
    )
  }

  @Test("it draws a layout as tree --svg does, and says what a touch would hit without a touch")
  func hit() throws {
    let inspection = try Inspection()
    let (svg, number) = try drawing(inspection)
    let tree = try inspection.run("tree", "--svg").output
    #expect(svg + "\n" == tree)
    let place = "\"screen\":0,\"x\":600,\"y\":300"
    let hit = try inspection.post("hit", "{\"drawing\":\(number),\(place)}")
    #expect(hit.status == 200 && hit.body.contains("\"target\":\"media\""), "\(hit)")
    #expect(hit.body.contains("media#pages"))
    let counted = try inspection.run("status", "--json").output
    #expect(counted.contains("\"began\":0"))
    for (body, sentence) in [
      ("{\"drawing\":77,\(place)}", "that drawing is not kept any more"),
      ("{\"drawing\":\(number),\"screen\":9,\"x\":1,\"y\":1}", "there is no such place"),
      ("{\"drawing\":\(number)", "a hit-test needs drawing, screen, x and y"),
    ] {
      let refused = try inspection.post("hit", body)
      #expect(refused.status == 422 && refused.body.hasPrefix(sentence), "\(refused)")
    }
  }

  @Test(
    "what is no layout is refused with what is wrong with it",
    arguments: [
      ("", "this is no layout"), ("[]", "this is no layout"),
      ("{\"screens\":[],\"views\":[{}]}", "this is no layout: views.[0]: \"path\" is missing"),
      (
        "{\"screens\":[{\"name\":\"a\",\"size\":[1],\"rotation\":0}],\"views\":[]}",
        "the size of the screen \"a\" must be two numbers"
      ),
      (
        "{\"screens\":[],\"views\":[{\"path\":\"home\",\"screen\":\"a\"}]}",
        "the window \"home\" is on no screen of the layout"
      ),
      (
        "{\"screens\":[{\"name\":\"a\",\"size\":[-1,5],\"rotation\":0}],\"views\":[]}",
        "the layout can't be drawn: "
      ),
    ])
  func noLayout(body: String, sentence: String) throws {
    let answer = try Inspection().post("draw", body)
    #expect(answer.status == 422 && answer.body.hasPrefix(sentence), "\(answer)")
  }

  @Test("the mouse is a finger with --allow-input alone, and is cancelled when its page is gone")
  func input() throws {
    let move = { (client: Int, phase: String) in
      "{\"client\":\(client),\"phase\":\"\(phase)\",\"screen\":0,\"x\":600,\"y\":300}"
    }
    let refusing = try Inspection()
    let refused = try refusing.post("input", move(1, "began"))
    #expect(refused.status == 403 && refused.body.contains("--allow-input"), "\(refused)")
    let inspection = try Inspection(Inspection.layout, "--allow-input")
    let program = try inspection.client("media")
    let page = try inspection.listen()
    let hello = try page.event(with: "\"input\":true")
    let client = try #require(Int(hello.split { !$0.isNumber }.first ?? ""))
    #expect(try inspection.post("input", move(client, "moved")).status == 422)
    #expect(try inspection.post("input", move(client, "began")).status == 200)
    let frame = try program.next(\.frame)
    #expect(frame.touches.first?.phase == .began)
    #expect(try inspection.post("input", move(client, "began")).status == 422)
    shutdown(page.descriptor, Int32(SHUT_RDWR))
    let last = try program.next { $0.frame?.touches.first { $0.phase == .cancelled } }
    #expect(last.cancelReason == .requested)
    // What comes of a page after its end, and of one that never was, touches nothing.
    for page in [client, 4_711] {
      let late = try inspection.post("input", move(page, "began"))
      #expect(late.status == 422 && late.body.contains("no page \(page)"), "\(late)")
    }
  }

  @Test("a record is served as it is, and drawn without a daemon")
  func record() throws {
    let directory = try TemporaryDirectory()
    let header =
      "{\"format\":\"touchroute-record\",\"version\":1,\"touchroute\":\"0\",\"started\":1,"
      + "\"time_us\":5,\"screens\":[{\"name\":\"a\",\"size\":[9,9],\"rotation\":0}],\"whole\":true,"
      + "\"views\":[{\"path\":\"w\",\"screen\":\"a\",\"frame\":[0,0,9,9]}],\"gestures\":[]}\n"
    let text = header + "{\"event\":\"gone\",\"time_us\":6,\"client\":1}\n"
    let inspection = try Inspection(file: try directory.write("record.jsonl", text))
    #expect(try inspection.request("GET", "record").body == text)
    #expect(try inspection.listen().event(with: "client").contains("\"file\":true"))
    let drawn = try inspection.post("draw", header)
    #expect(drawn.status == 200 && drawn.body.contains("data-path=\\\"w\\\""), "\(drawn)")
    let metrics = try inspection.request("GET", "metrics")
    #expect(metrics.status == 422 && metrics.body.contains("no daemon"), "\(metrics)")
  }

  @Test("a record that is cut off while it is sent ends its connection")
  func shortened() throws {
    let directory = try TemporaryDirectory()
    let header =
      "{\"format\":\"touchroute-record\",\"version\":1,\"touchroute\":\"0\",\"started\":1,"
      + "\"time_us\":5,\"screens\":[],\"whole\":true,\"views\":[],\"gestures\":[]}\n"
    let line = "{\"event\":\"gone\",\"time_us\":6,\"client\":1}\n"
    let file = try directory.write(
      "record.jsonl", header + String(repeating: line, count: 1_000_000))
    let inspection = try Inspection(file: file)
    let page = try RawHTTP(port: inspection.port, buffer: 4096)
    page.send(
      "GET \(inspection.folder)record HTTP/1.1\r\nHost: 127.0.0.1:\(inspection.port)\r\n\r\n")
    let length = try #require(try page.head()?.headers["content-length"].flatMap { Int($0) })
    #expect(truncate(file, 0) == 0)
    var received = 0
    while let line = try page.line() { received += line.utf8.count + 1 }
    #expect(received > 0 && received < length)
  }

  @Test("it serves what the daemon counts, as touchroute metrics prints it")
  func metrics() throws {
    let inspection = try Inspection()
    let answer = try inspection.request("GET", "metrics")
    #expect(answer.status == 200)
    #expect(answer.body.hasPrefix("# TYPE touchroute_daemon info\n"))
    #expect(answer.body.hasSuffix("# EOF\n"))
  }

  @Test("a port in use, a file that is no record and a missing program are told in a sentence")
  func mistakes() throws {
    let inspection = try Inspection()
    let second = try inspection.run("inspect", "--port", "\(inspection.port)")
    #expect(second.status == 1)
    #expect(second.errors.contains("port \(inspection.port) of 127.0.0.1 can't be listened on"))
    let directory = try TemporaryDirectory()
    let file = try directory.write("notes", "hello\n")
    let none = try inspection.run("inspect", file)
    #expect(none.status == 1 && none.errors.contains("is no record"), "\(none)")
    let alone = directory.file("touchroute")
    try FileManager.default.copyItem(atPath: Inspection.tool.path, toPath: alone)
    let missing = try RunningProgram.run(
      URL(filePath: alone), ["inspect"],
      environment: ["TOUCHROUTE_SOCKET": inspection.daemon?.socket ?? ""])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("install the package touchroute-inspect"), "\(missing)")
    let byHand = try RunningProgram.run(Repository.program("touchroute-inspect"), [])
    #expect(byHand.status == 1 && byHand.errors.contains("touchroute inspect starts this"))
  }

  @Test("a Unix socket is its maker's alone, and serves the same")
  func unixSocket() throws {
    let directory = try TemporaryDirectory()
    let daemon = try DaemonProcess.started(
      Inspection.layout, arguments: DaemonProcess.withoutDevices)
    let path = directory.file("page.sock")
    func start(_ path: String = path) throws -> RunningProgram {
      try RunningProgram(
        Inspection.tool, ["inspect", "--listen", path],
        environment: ["TOUCHROUTE_SOCKET": daemon.socket])
    }
    // The socket of one that has ended is left, and is no hindrance.
    let first = try start()
    for _ in 0..<3000 {
      guard first.lines.isEmpty else { break }
      usleep(10_000)
    }
    first.kill()
    for _ in 0..<3000 {
      guard (try? UnixSocket.connected(to: path)).map({ close($0) }) != nil else { break }
      usleep(10_000)
    }
    let inspect = try start()
    for _ in 0..<3000 {
      guard inspect.lines.isEmpty else { break }
      usleep(10_000)
    }
    let line = try #require(inspect.lines.first)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let connection = try RawHTTP(socket: path)
    let folder = try #require(line.components(separatedBy: "localhost").last)
    connection.send("GET \(folder) HTTP/1.1\r\nHost: localhost:8420\r\n\r\n")
    #expect(try connection.answer()?.status == 200)
    // Another file is not taken away.
    let file = try directory.write("notes", "hello")
    let third = try start(file).finish()
    #expect(third.status == 1 && third.errors.contains("can't be listened on"), "\(third)")
    #expect(FileManager.default.fileExists(atPath: file))
    let second = try start().finish()
    #expect(second.status == 1 && second.errors.contains("it is in use"), "\(second)")
  }

  @Test("if the daemon ends, pages are told so, and of the next daemon what is so then")
  func restart() throws {
    let inspection = try Inspection()
    let daemon = try #require(inspection.daemon)
    let page = try inspection.listen()
    _ = try page.event(with: "touchroute-record")
    try daemon.stop()
    while let line = try page.line(), line != "event: away" {}
    #expect(try page.event().contains("touchrouted is stopping"))
    let late = try inspection.listen()
    while let line = try late.line(), line != "event: away" {}
    let refused = try inspection.request("GET", "metrics")
    #expect(refused.status == 422 && refused.body.contains("no daemon at the moment"), "\(refused)")
    try daemon.write(Inspection.layout.replacing("home/dial", with: "home/knob"))
    try daemon.start()
    try daemon.wait(for: "READY=1")
    for page in [page, late] {
      #expect(try page.event(with: "touchroute-record").contains("\"path\":\"home/knob\""))
    }
    #expect(try inspection.run("tap", "10", "10").status == 2)
    for page in [page, late] { _ = try page.event(with: "\"ended\"") }
    #expect(try inspection.request("GET", "metrics").status == 200)
    #expect(inspection.inspect.errors.contains("touchrouted is there again"))
  }

  @Test("it ends where nobody reads its output any more, and touchroute-inspect with it")
  func end() throws {
    let directory = try TemporaryDirectory()
    let daemon = try DaemonProcess.started(
      Inspection.layout, arguments: DaemonProcess.withoutDevices)
    let path = directory.file("page.sock")
    let script = "\"$0\" inspect --listen \"$1\" | head -n 1; echo over; wait"
    let program = try RunningProgram(
      URL(filePath: "/bin/bash"), ["-c", script, Inspection.tool.path, path],
      environment: ["TOUCHROUTE_SOCKET": daemon.socket])
    let result = program.finish()
    #expect(result.output.hasSuffix("over\n"), "\(result)")
    for _ in 0..<3000 {
      guard let descriptor = try? UnixSocket.connected(to: path) else { return }
      close(descriptor)
      usleep(10_000)
    }
    Issue.record("the page is still served")
  }
}
