import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// Who gets nothing from `touchroute inspect`, and what cannot stop it.
@Suite("touchroute inspect, attacked")
struct InspectSecurityTests {
  @Test("without its token the page gives nothing, and every answer forbids other sites (S50)")
  func token() throws {
    let inspection = try Inspection()
    let wrong = String(inspection.folder.dropFirst().dropLast().reversed())
    for path in ["/", "/page.js", "//", "/\(wrong)/", "/\(wrong.prefix(5))/events", "*"] {
      let connection = try inspection.connect()
      connection.send(inspection.text("GET", path))
      let answer = try #require(try connection.answer())
      #expect(answer.status == 403 || answer.status == 400, "\(path): \(answer)")
      #expect(!answer.body.contains("script"))
    }
    let page = try inspection.request("GET", "")
    #expect(page.status == 200 && page.body.contains("page.js"))
    #expect(page.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
    #expect(page.headers["cross-origin-resource-policy"] == "same-origin")
    #expect(page.headers["referrer-policy"] == "no-referrer")
    #expect(page.headers["cache-control"] == "no-store")
    let other = try Inspection()
    #expect(other.folder != inspection.folder && other.folder.utf8.count == 34)
  }

  @Test(
    "another name than this machine's own is refused: DNS rebinding (S51)",
    arguments: [
      ("kiosk.example:8420", 421), ("127.0.0.1.kiosk.example", 421), ("localhost.", 421),
      ("127.0.0.1:80:80", 421), ("10.0.0.1", 421), ("", 421), ("localhost:9", 200),
      ("LOCALHOST", 200), ("[::1]:8420", 200), ("127.0.0.1", 200),
    ])
  func host(name: String, status: Int) throws {
    #expect(try Inspection().request("GET", "", host: name).status == status)
  }

  @Test("another site's page can neither post nor read, whatever it knows (S51)")
  func otherSite() throws {
    let inspection = try Inspection(Inspection.layout, "--allow-input")
    let json = "Content-Type: application/json"
    let page = try inspection.listen()
    let hello = try page.event(with: "\"client\":")
    let client = try #require(hello.split { !$0.isNumber }.first)
    let body = "{\"client\":\(client),\"phase\":\"began\",\"screen\":0,\"x\":1,\"y\":1}"
    for headers in [
      ["Origin: http://kiosk.example", json], ["Origin: null", json],
      ["Origin: https://127.0.0.1:\(inspection.port)", json],
      ["Origin: http://127.0.0.1:1", json], ["Sec-Fetch-Site: cross-site", json],
      ["Sec-Fetch-Site: same-site", json],
    ] {
      let answer = try inspection.request("POST", "input", headers, body: body)
      #expect(answer.status == 403, "\(headers): \(answer)")
      #expect(try inspection.request("GET", "events", headers).status == 403)
    }
    // What a form can send.
    for type in ["text/plain", "application/x-www-form-urlencoded"] {
      let answer = try inspection.request("POST", "input", ["Content-Type: \(type)"], body: body)
      #expect(answer.status == 415)
    }
    #expect(try inspection.request("POST", "input", body: body).status == 415)
    let own = ["Origin: http://127.0.0.1:\(inspection.port)", "Sec-Fetch-Site: same-origin", json]
    #expect(try inspection.request("POST", "input", own, body: body).status == 200)
    #expect(try inspection.request("DELETE", "").status == 405)
    // A link to the page is one.
    #expect(try inspection.request("GET", "", ["Sec-Fetch-Site: cross-site"]).status == 200)
  }

  @Test("garbage, too much of anything and ten thousand connections stop nobody else (S52)")
  func garbage() throws {
    let inspection = try Inspection()
    let page = try inspection.listen()
    _ = try page.event(with: "touchroute-record")
    let seed = Seeds.fresh()
    print("the garbage is of seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let connection = try inspection.connect()
      let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      connection.send(String(decoding: bytes, as: UTF8.self) + "\r\n\r\n")
      _ = try connection.answer()
    }
    let long = String(repeating: "a", count: 70_000)
    for text in [
      inspection.text("GET", inspection.folder, ["X: \(long)"]),
      inspection.text("GET", inspection.folder, (0..<100).map { "X\($0): 1" }),
      inspection.text("GET", inspection.folder + long),
      inspection.text(
        "POST", inspection.folder + "hit", ["Content-Type: application/json"], body: long),
    ] {
      let connection = try inspection.connect()
      connection.send(text)
      // Where it closes at once, its answer may be lost.
      let status = (try? connection.answer())??.status ?? 400
      #expect([400, 404, 413, 431].contains(status), "\(status)")
    }
    // All at once, as many as this process may have; then the others one after the other.
    var open: [RawHTTP] = []
    for _ in 0..<500 { open.append(try inspection.connect()) }
    for _ in 0..<9500 { _ = try inspection.connect() }
    #expect(try inspection.run("tap", "10", "10").status == 2)
    #expect(try page.event(with: "\"phase\":\"began\"").contains("\"at\":[10,10]"))
    open.removeAll()
    for _ in 0..<3000 {
      if let answer = try? inspection.request("GET", ""), answer.status == 200 { return }
      usleep(10_000)
    }
    Issue.record("the page is not served any more")
  }

  @Test("connections that stay without the token keep out nobody who has it (S52)")
  func strangers() throws {
    let inspection = try Inspection()
    let page = try inspection.listen()
    _ = try page.event(with: "touchroute-record")
    let open = try (0..<200).map { _ in try inspection.connect() }
    #expect(try inspection.request("GET", "").status == 200)
    let begun = try (0..<200).map { _ in
      let connection = try inspection.connect()
      connection.send("GET \(inspection.folder.dropLast(2))0/ HTTP/1.1\r\nHost: localhost\r\n")
      return connection
    }
    #expect(try inspection.request("GET", "page.js").status == 200)
    #expect(try inspection.run("tap", "10", "10").status == 2)
    #expect(try page.event(with: "\"phase\":\"began\"").contains("\"at\":[10,10]"))
    withExtendedLifetime((open, begun)) {}
  }

  @Test(
    "nobody else listens where localhost leads, beside the page or before it (S51)",
    .enabled(if: LocalPort.hasIPv6))
  func localhost() throws {
    let inspection = try Inspection()
    #expect(throws: LocalPort.InUse.self) { _ = try LocalPort(inspection.port) }
    // Another program that was there first is told of, and the page is not served beside it.
    let other = try LocalPort(0)
    let second = try RunningProgram(
      Inspection.tool, ["inspect", "--port", "\(other.number)"],
      environment: ["TOUCHROUTE_SOCKET": inspection.daemon?.socket ?? ""])
    let result = second.finish()
    #expect(result.status == 1 && result.output.isEmpty)
    let words = "port \(other.number) of [::1] can't be listened on: it is in use"
    #expect(result.errors.contains(words), "\(result)")
  }

  @Test("what reads from browsers does not go on as root (S52)")
  func nobody() throws {
    let inspection = try Inspection()
    let user = getuid() == 0 ? "65534" : "\(getuid())"
    #expect(try inspection.serverStatus("Uid") == "\(user)\t\(user)\t\(user)\t\(user)")
    #expect(try inspection.serverStatus("Groups") == "" || getuid() != 0)
  }

  @Test("as many pages as may listen do; one more is refused with the reason")
  func listeners() throws {
    let inspection = try Inspection()
    let pages = try (0..<4).map { _ in try inspection.listen() }
    for page in pages { _ = try page.event(with: "touchroute-record") }
    let one = try inspection.request("GET", "events")
    #expect(one.status == 503 && one.body.contains("close one"), "\(one)")
  }
}
