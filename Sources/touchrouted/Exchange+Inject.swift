import Layout
import Routing
import Server
import TouchModel

/// Touches that a client of the control socket makes up, and those that it ends. Rule F7.
extension Exchange {
  /// A frame of the client's own touchscreen goes the way of every other.
  func inject(_ contacts: [InjectedContact], _ screen: ScreenIndex, _ token: RequestToken) {
    var device = injected[token.client] ?? nextInjectedDevice()
    do throws(InjectedDevice.Refusal) {
      let events = try device.events(
        contacts, on: screen, of: router.layout.screens, at: now)
      injected[token.client] = device
      server.reviewUnresponsive()
      beginDeliveries()
      for event in events { route(event) }
      deliver()
      awaitDecisions()
      server.answer(token, doneWith: Int(device.device.rawValue), generation: router.generation)
    } catch {
      server.answer(token, .invalid, "inject: \(error.text)")
    }
  }

  /// The touchscreen of a client that is gone goes with it.
  func removeInjectedDevice(of client: ClientID) {
    guard let device = injected.removeValue(forKey: client) else { return }
    beginDeliveries()
    route(.lost(device.device, reason: .deviceRemoved, time: now))
    deliver()
  }

  /// Ends a touch for everybody, or all of them. Rule R9.
  func cancel(_ touch: TouchID?, _ token: RequestToken) {
    beginDeliveries()
    var count = router.liveTouchCount
    if let touch {
      count = router.cancel(touch, at: now, into: &deliveries) ? 1 : 0
    } else {
      router.cancelAll(.requested, at: now, into: &deliveries)
    }
    deliver()
    if let touch, count == 0 {
      return server.answer(token, .invalid, "cancel: nobody has touch \(touch.rawValue)")
    }
    server.answer(token, doneWith: count, generation: router.generation)
  }

  private func nextInjectedDevice() -> InjectedDevice {
    lastInjectedDevice &+= 1
    return InjectedDevice(DeviceID(InjectedDevice.firstDevice | lastInjectedDevice))
  }

  private func route(_ event: DeviceEvent) {
    sequencer.consume(event) { frame in
      checker.note(frame)
      router.route(frame, flags: .injected, into: &deliveries)
    }
  }
}
