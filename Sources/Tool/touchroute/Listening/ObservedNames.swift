import TouchClient
import TouchModel

/// What devices and programs are called.
struct ObservedNames {
  private var devices: [DeviceID: String] = [:]
  /// By their processes.
  private(set) var programs: [Int32: String] = [:]

  mutating func add(_ item: StatusItem) {
    switch item {
    case .device(let device): devices[device.device] = device.name
    case .client(let client): programs[client.pid] = client.name
    default: break
    }
  }

  /// Whether it knows everything that an event speaks of.
  func has(_ event: TouchEvent) -> Bool {
    switch event {
    case .observed(let frame): has(frame)
    case .observedGesture(let gesture): has(gesture)
    case .observedSignal(let signal): devices[signal.device] != nil
    default: true
    }
  }

  /// Whether it knows everything that a frame speaks of, injectors' touchscreens left out, which
  /// have no name.
  func has(_ frame: Observation) -> Bool {
    (devices[frame.device] != nil || Self.isInjector(frame.device))
      && frame.records.allSatisfy { $0.chain.allSatisfy { has($0.pid) } }
  }

  /// Whether it knows who is told of a gesture.
  func has(_ gesture: ObservedGesture) -> Bool { has(gesture.pid) }

  private func has(_ program: Int32?) -> Bool { program.map { programs[$0] != nil } ?? true }

  func device(_ device: DeviceID) -> String {
    devices[device] ?? (Self.isInjector(device) ? "injected" : "device \(device.rawValue)")
  }

  /// Whether it is a client's touchscreen, which is no real one.
  private static func isInjector(_ device: DeviceID) -> Bool { device.rawValue >= 1 << 31 }
}
