import Configuration
import Layout
import Routing
import Server

extension Exchange {
  /// Puts a configuration in force, whole, between two frames: the words for what has changed.
  /// Rules L6 and R8.
  func apply(_ new: Configuration) -> String {
    let changes = ConfigurationChanges(from: configuration, to: new)
    let old = pipeline.router.layout
    configuration = new
    pipeline.options = RouterOptions(new)
    server.limits = ServerLimits(new)
    server.lookAgainForUsers()
    if changes.hasNewLayout { replaceLayout(old) }
    server.greeting = Greeting(new)
    revokeAttachments()
    deliver()
    reviewSettings()
    return changes.description
  }

  /// Puts the configuration's layout in force.
  private func replaceLayout(_ old: Layout) {
    pipeline.replaceLayout(layoutToPutInForce(), at: now)
    // What was cancelled is told in the old layout's terms, the new geometry in those of the new
    // screens, which are therefore announced in between.
    for observation in pipeline.deliveries.observations { server.send(observation, layout: old) }
    for entry in pipeline.deliveries.entries where !entry.isLayout { queue(entry) }
    server.greeting = Greeting(configuration)
    for entry in pipeline.deliveries.entries where entry.isLayout { queue(entry) }
    pipeline.finishDeliveries()
  }
}

extension Deliveries.Entry {
  fileprivate var isLayout: Bool {
    if case .layout = self { true } else { false }
  }
}

extension RouterOptions {
  init(_ configuration: Configuration) {
    self.init()
    maximumAttachmentsPerClient = configuration.limits.attachments
    maximumLiveTouches = configuration.limits.touches
    decisionTimeoutMilliseconds = UInt64(configuration.touch.decisionTimeoutMilliseconds)
    tapIntervalMilliseconds = UInt64(configuration.touch.tapIntervalMilliseconds)
    tapDistance = configuration.touch.tapDistance
  }
}

extension ServerLimits {
  init(_ configuration: Configuration) {
    self.init()
    clients = configuration.limits.clients
    controlClients = configuration.limits.controlClients
    clientsPerUser = configuration.limits.clientsPerUser
    totalQueueBytes = configuration.limits.totalQueueBytes
    userQueueBytes = configuration.limits.queueBytesPerUser
    queueBytes = configuration.limits.queueBytes
    controlQueueBytes = configuration.limits.controlQueueBytes
    requestTimeoutMilliseconds = UInt64(configuration.limits.requestTimeoutMilliseconds)
  }
}

extension Greeting {
  init(_ configuration: Configuration) {
    self.init(
      screens: configuration.layout.screens,
      maximumAttachments: configuration.limits.attachments,
      decisionTimeoutMilliseconds: configuration.touch.decisionTimeoutMilliseconds,
      unresponsiveAfterMilliseconds: configuration.touch.unresponsiveAfterMilliseconds)
  }
}
