import CTouchroute
import Glibc
import Layout
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Status on the wire")
struct StatusEncodingTests {
  @Test(
    "status lists daemon, clients, attachments, devices, screens, locks, inhibitors, then done"
  )
  func items() throws {
    let world = try World()
    let control = try world.greeted(.control, name: "touchroute")
    let client = try world.greeted(name: "nav-app")
    var pipeline = TouchPipeline(layout: try Layouts.home())
    client.send(RequestBytes.attach(serial: 2, path: "home"))
    try world.turn { world.requests.count == 1 }
    let id = try #require(world.requests.first).token.client
    let attachment = try pipeline.attach(
      AttachRequest(path: "home", handles: [.began, .ended], passes: .began), by: id,
      at: Timestamp(microseconds: 0))
    var latencies = LatencyHistogram()
    for microseconds: UInt64 in [0, 1, 2, 3, 4, .max] { latencies.add(microseconds) }
    let daemon = DaemonStatus(
      pid: 42, started: Timestamp(microseconds: 1234), generation: 6, windowCount: 2, viewCount: 4,
      liveTouches: 3, version: "0.1.0", configuration: "/etc/touchroute/touchroute.toml",
      counters: [10, 20, 30], latencies: latencies)
    var device = DeviceStatus(
      id: DeviceID(2), screen: ScreenIndex(1), isGrabbed: true,
      isIgnored: true, identity: (bus: 3, vendor: 0x416, product: 0x38f, version: 0x111),
      touchCount: 10,
      liveTouches: 2, name: "Goodix Capacitive TouchScreen", node: "/dev/input/event3",
      phys: "input/ts")
    device.findings = [
      DeviceFinding(.bridged, count: 3),
      DeviceFinding(.silent, since: Timestamp(microseconds: 77), "is silent"),
    ]
    world.onRequest = { token, _ in
      world.server.answer(
        token, status: daemon,
        attachments: [
          AttachmentStatus(attachment, path: "home", liveTouches: 1),
          AttachmentStatus(
            waiting: AttachmentID(9), of: id,
            for: AttachRequest(path: "home/a", handles: .ended, waits: true)),
        ],
        devices: [device],
        screens: [
          ScreenStatus(screen: ScreenIndex(1), name: "panel", state: .waking, blanker: id)
        ],
        locks: [
          LockStatus(
            screen: ScreenIndex(1), name: "panel", remainingMilliseconds: 1_500, owner: nil)
        ],
        inhibitors: [AttachmentStatus(attachment, path: "home", liveTouches: 0)],
        liveTouches: { $0 == id ? 5 : 0 })
    }
    control.send(RequestBytes.plain(TOUCHROUTE_STATUS, serial: 9))
    let messages = try (0..<12).map { _ in try world.message(for: control) }
    #expect(
      messages.map(\.opcode) == [
        TOUCHROUTE_STATUS_DAEMON.rawValue, TOUCHROUTE_STATUS_CLIENT.rawValue,
        TOUCHROUTE_STATUS_CLIENT.rawValue, TOUCHROUTE_STATUS_ATTACHMENT.rawValue,
        TOUCHROUTE_STATUS_WAITING.rawValue, TOUCHROUTE_STATUS_DEVICE.rawValue,
        TOUCHROUTE_STATUS_SIGNAL.rawValue, TOUCHROUTE_STATUS_SIGNAL.rawValue,
        TOUCHROUTE_STATUS_SCREEN.rawValue, TOUCHROUTE_STATUS_LOCK.rawValue,
        TOUCHROUTE_STATUS_INHIBITOR.rawValue,
        TOUCHROUTE_DONE.rawValue,
      ])
    try checkDaemon(messages[0])
    try checkClients(messages[1], messages[2], id)
    let item = messages[3].load(touchroute_status_attachment.self)
    #expect(item.client == id.slot && item.attachment == 1 && item.live_touches == 1)
    #expect(item.handles == 0b0101 && item.passes == 0b0001)
    #expect(messages[3].string(at: 32, size: item.path_size) == "home")
    let waiting = messages[4].load(touchroute_status_attachment.self)
    #expect(waiting.client == id.slot && waiting.attachment == 9 && waiting.live_touches == 0)
    #expect(messages[4].string(at: 32, size: waiting.path_size) == "home/a")
    try checkDevice(messages[5])
    let screen = messages[8].load(touchroute_status_screen.self)
    #expect(screen.serial == 9 && screen.screen == 1 && screen.power == 3 && screen.pid == getpid())
    #expect(messages[8].string(at: 32, size: screen.name_size) == "panel")
    let lock = messages[9].load(touchroute_status_lock.self)
    #expect(lock.serial == 9 && lock.screen == 1 && lock.remaining_ms == 1_500 && lock.pid == 0)
    let inhibitor = messages[10].load(touchroute_status_attachment.self)
    #expect(inhibitor.client == id.slot && inhibitor.attachment == 1)
    let bridged = messages[6].load(touchroute_status_signal.self)
    #expect(bridged.serial == 9 && bridged.device == 2 && bridged.count == 3)
    #expect(UInt32(bridged.finding) == TOUCHROUTE_SIGNAL_BRIDGED.rawValue)
    let silent = messages[7].load(touchroute_status_signal.self)
    #expect(silent.since_us == 77 && silent.finding == SignalFinding.silent.rawValue)
    #expect(messages[7].string(at: 40, size: silent.text_size) == "is silent")
    let done = messages[11].load(touchroute_done.self)
    #expect(done.serial == 9 && done.total == 11 && done.generation == 6)
  }

  private func checkDaemon(_ message: Message) throws {
    let status = message.load(touchroute_status_daemon.self)
    #expect(status.serial == 9 && status.pid == 42 && status.started_us == 1234)
    #expect(status.generation == 6 && status.window_count == 2 && status.view_count == 4)
    #expect(status.live_touches == 3 && status.counter_count == 3)
    #expect((0..<3).map { message.load(UInt64.self, at: 56 + $0 * 8) } == [10, 20, 30])
    #expect(status.latency_count == TOUCHROUTE_LATENCIES)
    let latencies = (0..<24).map { message.load(UInt64.self, at: 80 + $0 * 8) }
    #expect(latencies == [1, 1, 2, 1] + [UInt64](repeating: 0, count: 19) + [1])
    #expect(message.string(at: 272, size: status.version_size) == "0.1.0")
    #expect(
      message.string(at: 280, size: status.configuration_size) == "/etc/touchroute/touchroute.toml")
  }

  private func checkClients(_ first: Message, _ second: Message, _ id: ClientID) throws {
    let control = first.load(touchroute_status_client.self)
    #expect(control.flags == TOUCHROUTE_CLIENT_CONTROL.rawValue)
    let client = second.load(touchroute_status_client.self)
    #expect(client.client == id.slot && client.pid == getpid() && client.uid == getuid())
    #expect(client.flags == 0 && client.live_touches == 5 && client.queued == 0)
    #expect(second.string(at: 72, size: client.name_size) == "nav-app")
  }

  private func checkDevice(_ message: Message) throws {
    let device = message.load(touchroute_status_device.self)
    #expect(device.device == 2 && device.screen == 1 && device.touch_count == 10)
    let flags = TOUCHROUTE_DEVICE_GRABBED.rawValue | TOUCHROUTE_DEVICE_IGNORED.rawValue
    #expect(device.flags == flags && device.live_touches == 2)
    #expect(device.bus == 3 && device.vendor == 0x416 && device.product == 0x38f)
    #expect(message.string(at: 56, size: device.name_size) == "Goodix Capacitive TouchScreen")
    #expect(message.string(at: 88, size: device.node_size) == "/dev/input/event3")
    #expect(message.string(at: 112, size: device.phys_size) == "input/ts")
  }

  @Test("a client is named by its process, its own name and its user")
  func names() throws {
    let world = try World()
    let client = try world.greeted(name: "nav-app")
    client.send(RequestBytes.detach(serial: 1, attachment: 1))
    try world.turn { world.requests.count == 1 }
    let id = try #require(world.requests.first).token.client
    let user = getpwuid(getuid()).map { "user \(String(cString: $0.pointee.pw_name))" }
    let expected = "pid \(getpid()) (nav-app), \(user ?? "uid \(getuid())")"
    #expect(world.server.name(of: id) == expected)
    #expect(world.server.name(of: ClientID(slot: 900, generation: 1)) == "a client that is gone")
  }
}
