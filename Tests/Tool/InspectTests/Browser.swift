import Foundation
import TestSupport

/// Debian's Chromium without a window, by its driver.
final class Browser {
  private let driver: RunningProgram
  private let port: UInt16
  private var session = ""

  /// Something that the driver refuses, or that never became so.
  struct Trouble: Error {
    let text: String
  }

  /// Starts it.
  ///
  /// - Parameters:
  ///   - size: of the window, in pixels.
  ///   - isDark: whether it prefers dark pages.
  init(size: (Int, Int) = (1400, 900), isDark: Bool = false) throws {
    let driver = try RunningProgram(
      URL(filePath: "/usr/bin/env"), ["chromedriver", "--port=0"])
    self.driver = driver
    var found: UInt16?
    for _ in 0..<3000 {
      guard found == nil && driver.isRunning else { break }
      usleep(10_000)
      let line = driver.lines.first { $0.contains("successfully on port") }
      found = line.flatMap { UInt16($0.split { !$0.isNumber }.last ?? "") }
    }
    guard let found else {
      throw Trouble(text: "chromedriver does not start: run scripts/bootstrap. \(driver.errors)")
    }
    port = found
    let arguments =
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=\(size.0),\(size.1)",
      ] + (isDark ? ["--blink-settings=preferredColorScheme=0"] : [])
    let answer = try call(
      "POST", "/session",
      [
        "capabilities": [
          "alwaysMatch": [
            "goog:chromeOptions": ["args": arguments], "goog:loggingPrefs": ["browser": "ALL"],
          ]
        ]
      ])
    session = "/session/\((answer as? [String: Any])?["sessionId"] as? String ?? "")"
  }

  deinit {
    _ = try? call("DELETE", session)
    driver.kill()
  }

  private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any? {
    let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let text = String(decoding: data, as: UTF8.self)
    let connection = try RawHTTP(port: port, seconds: 120)
    connection.send(
      "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(data.count)\r\n\r\n\(text)")
    guard let answer = try connection.answer() else {
      throw Trouble(text: "chromedriver has closed the connection")
    }
    let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    guard answer.status == 200 else { throw Trouble(text: answer.body) }
    return object?["value"]
  }

  func open(_ address: String) throws { _ = try call("POST", session + "/url", ["url": address]) }

  /// What a script returns.
  func run(_ script: String) throws -> Any? {
    try call("POST", session + "/execute/sync", ["script": script, "args": [Any]()])
  }

  /// Waits until an expression of JavaScript is true.
  func wait(for condition: String) throws {
    for _ in 0..<600 {
      if try run("return Boolean(\(condition))") as? Bool == true { return }
      usleep(100_000)
    }
    let page = try run("return document.body.innerText") as? String ?? ""
    throw Trouble(text: "it never was so that \(condition); the page says: \(page)")
  }

  /// The text of an element.
  func text(_ id: String) throws -> String {
    try run("return document.getElementById('\(id)').innerText") as? String ?? ""
  }

  /// Presses a key, wherever the focus is.
  func press(_ key: String) throws {
    let actions = ["keyDown", "keyUp"].map { ["type": $0, "value": key] }
    _ = try call(
      "POST", session + "/actions",
      ["actions": [["type": "key", "id": "keys", "actions": actions]]])
  }

  /// Clicks at a point of a screen of the layout.
  ///
  /// - Parameter isHeld: Whether the button stays pressed.
  func click(screen: Int, x: Double, y: Double, isHeld: Bool = false) throws {
    let script = """
      const matrix = document.querySelectorAll('g.screen')[\(screen)].getScreenCTM();
      return [matrix.a * \(x) + matrix.e, matrix.d * \(y) + matrix.f].map(Math.round);
      """
    guard let place = try run(script) as? [Int], place.count == 2 else {
      throw Trouble(text: "the screen \(screen) is not drawn")
    }
    var actions: [[String: Any]] = [
      ["type": "pointerMove", "duration": 0, "x": place[0], "y": place[1]],
      ["type": "pointerDown", "button": 0],
    ]
    if !isHeld { actions.append(["type": "pointerUp", "button": 0]) }
    _ = try call(
      "POST", session + "/actions",
      ["actions": [["type": "pointer", "id": "mouse", "actions": actions]]])
  }

  /// Gives a file to the element of an id.
  func choose(_ file: String, in id: String) throws {
    let found = try call(
      "POST", session + "/element", ["using": "css selector", "value": "#\(id)"])
    guard let element = (found as? [String: String])?.values.first else {
      throw Trouble(text: "there is no #\(id)")
    }
    _ = try call("POST", session + "/element/\(element)/value", ["text": file])
  }

  /// What the page shows, as a PNG.
  func picture() throws -> Data {
    let text = try call("GET", session + "/screenshot") as? String ?? ""
    return Data(base64Encoded: text) ?? Data()
  }

  /// What went wrong in the page: exceptions, and what its policy forbids.
  func troubles() throws -> [String] {
    let entries =
      try call("POST", session + "/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
    return entries.filter { $0["level"] as? String == "SEVERE" }
      .compactMap { $0["message"] as? String }
  }
}
