import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// `touchroute output tuio` and who receives it: the plugin that Qt brings along for that, in
/// Debian's `qml`.
@Suite(
  "touchroute output tuio, to Qt",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/lib/qt6/bin/qml")
      && FileManager.default.fileExists(
        atPath: "/usr/lib/\(Repository.machine)/qt6/plugins/generic/libqtuiotouchplugin.so"),
    "Debian's qml-qt6 and qt6-qpa-plugins are not installed"))
struct QtTuioTests {
  private static let program = """
    import QtQuick
    Window {
      visible: true; width: 400; height: 480
      property bool isShown: false
      onFrameSwapped: if (!isShown) { isShown = true; console.log("shown") }
      MouseArea {
        anchors.fill: parent
        onPressed: (mouse) => console.log("pressed", Math.round(mouse.x), Math.round(mouse.y))
        onClicked: console.log("clicked")
      }
    }
    """

  @Test(
    "a tap is a click where it was in the window, and what is cancelled is none (T7)",
    .timeLimit(.minutes(10)))
  func taps() async throws {
    let fingers = try InjectedFingers(rightHalf)
    let folder = try TemporaryDirectory()
    chmod(folder.url.path, 0o700)
    let port = try UDPReceiver().port  // closed again at once
    let qml = try RunningProgram(
      URL(filePath: "/usr/lib/qt6/bin/qml"),
      [
        try folder.write("home.qml", Self.program), "-platform", "offscreen", "-plugin",
        "tuiotouch:udp=\(port)",
      ],
      environment: ["QT_QUICK_BACKEND": "software", "XDG_RUNTIME_DIR": folder.url.path])
    func wait(for lines: String...) throws {
      try waitUntil("\(lines); it said \(qml.errors)") {
        let said = qml.errors.split(separator: "\n").filter { $0.hasPrefix("qml: ") }
        return said.map { String($0.dropFirst(5)) } == lines
      }
    }
    try wait(for: "shown")
    let output = try RunningProgram(
      Repository.program("touchroute"), ["output", "tuio", "home", "--to", "127.0.0.1:\(port)"],
      environment: ["TOUCHROUTE_SOCKET": fingers.daemon.socket])
    try await fingers.waitForHolder()
    try await fingers.inject(.began(Point(x: 500, y: 120)), .ended)
    try wait(for: "shown", "pressed 100 120", "clicked")
    try await fingers.inject(.began(Point(x: 520, y: 120)))
    try wait(for: "shown", "pressed 100 120", "clicked", "pressed 120 120")
    try await fingers.inject(.cancelled)
    try await fingers.inject(.began(Point(x: 600, y: 240)), .ended)
    try wait(
      for: "shown", "pressed 100 120", "clicked", "pressed 120 120", "pressed 200 240", "clicked")
    #expect(output.isRunning)
  }
}
