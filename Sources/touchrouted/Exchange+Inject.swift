import Wire
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
        contacts, on: screen, of: pipeline.router.layout.screens, at: now)
      injected[token.client] = device
      server.reviewUnresponsive()
      pipeline.consume(ReusableArray(events), flags: .injected)
      deliver()
      server.answer(
        token, doneWith: Int(device.device.rawValue), generation: pipeline.router.generation)
    } catch {
      server.answer(token, .invalid, "inject: \(error.text)")
    }
  }

  /// The touchscreen of a client that is gone goes with it.
  func removeInjectedDevice(of client: ClientID) {
    guard let device = injected.removeValue(forKey: client) else { return }
    pipeline.consume([.lost(device.device, reason: .deviceRemoved, time: now)])
    deliver()
  }

  /// Ends a touch for everybody, or all of them. Rule R9.
  func cancel(_ touch: TouchID?, _ token: RequestToken) {
    var count = pipeline.router.liveTouchCount
    if let touch {
      count = pipeline.cancel(touch, at: now) ? 1 : 0
    } else {
      pipeline.cancelAll(.requested, at: now)
    }
    deliver()
    if let touch, count == 0 {
      return server.answer(token, .invalid, "cancel: nobody has touch \(touch.rawValue)")
    }
    server.answer(token, doneWith: count, generation: pipeline.router.generation)
  }

  private func nextInjectedDevice() -> InjectedDevice {
    lastInjectedDevice &+= 1
    return InjectedDevice(DeviceID(InjectedDevice.firstDevice | lastInjectedDevice))
  }
}
