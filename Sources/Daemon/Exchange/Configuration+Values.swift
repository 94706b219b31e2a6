package import Configuration
import Layout
package import Routing
package import Server

// What the rooms are told of a configuration.

extension RouterOptions {
  /// What the router goes by, of a configuration: its limits and times.
  package init(_ configuration: Configuration) {
    self.init()
    maximumAttachmentsPerClient = configuration.limits.attachments
    maximumLiveTouches = configuration.limits.touches
    maximumAddedRecognizersPerTouch = configuration.limits.gesturesPerTouch
    decisionTimeoutMilliseconds = UInt64(configuration.touch.decisionTimeoutMilliseconds)
    holdLimitMilliseconds = UInt64(configuration.touch.holdLimitMilliseconds)
    tapIntervalMilliseconds = UInt64(configuration.touch.tapIntervalMilliseconds)
    tapDistance = configuration.touch.tapDistance
  }
}

extension ServerLimits {
  /// The limits that a configuration sets, and the others as they are by default.
  package init(_ configuration: Configuration) {
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
