import Configuration
import Routing
import Server
import Testing
import TouchModel

@testable import Exchange

/// What the rooms are told of a configuration.
@Suite("Exchange, values of the configuration")
struct ConfigurationValuesTests {
  /// Each value is another one than by default, and no two are alike.
  private static let text = """
    [screen.panel]
    size = [800, 480]
    [touch]
    decision_timeout_ms = 251
    unresponsive_after_ms = 1251
    hold_limit_ms = 999
    tap_interval_ms = 349
    tap_distance = 44
    [limits]
    clients = 1023
    control_clients = 15
    clients_per_user = 255
    attachments = 1022
    touches = 254
    gestures_per_touch = 31
    queue_bytes = 1048577
    control_queue_bytes = 4194305
    queue_bytes_per_user = 8388609
    total_queue_bytes = 16777217
    request_timeout_ms = 10001
    """

  private let configuration: Configuration

  init() throws { configuration = try .parse([(file: "test.toml", text: Self.text)]) }

  @Test("the server goes by each limit of the configuration (F5)")
  func server() {
    var limits = ServerLimits()
    limits.clients = 1023
    limits.controlClients = 15
    limits.clientsPerUser = 255
    limits.queueBytes = 1_048_577
    limits.controlQueueBytes = 4_194_305
    limits.userQueueBytes = 8_388_609
    limits.totalQueueBytes = 16_777_217
    limits.requestTimeoutMilliseconds = 10_001
    #expect(ServerLimits(configuration) == limits)
  }

  @Test("the router goes by each limit and time of the configuration (F5, R5, G17)")
  func router() {
    var options = RouterOptions()
    options.maximumAttachmentsPerClient = 1022
    options.maximumLiveTouches = 254
    options.maximumAddedRecognizersPerTouch = 31
    options.decisionTimeoutMilliseconds = 251
    options.holdLimitMilliseconds = 999
    options.tapIntervalMilliseconds = 349
    options.tapDistance = 44
    #expect(RouterOptions(configuration) == options)
  }

  @Test("a client is told of the limits and times that it has to know (F3, R5)")
  func greeting() {
    let greeting = Greeting(configuration)
    #expect(greeting.screens.map(\.name) == ["panel"])
    #expect(greeting.maximumAttachments == 1022)
    #expect(greeting.decisionTimeoutMilliseconds == 251)
    #expect(greeting.unresponsiveAfterMilliseconds == 1251)
  }
}
