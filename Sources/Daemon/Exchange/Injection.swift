import Layout
import Routing
import Server
import Wire
import TouchModel

/// Touches that clients of the control socket make up, each on a touchscreen of its own, and those
/// that they end. Rules F7 and R9.
package final class Injection {
  private let pipeline: RunningPipeline
  private let server: Server
  private var devices: [ClientID: InjectedDevice] = [:]
  /// The number of the latest, without the bit that all made-up ones have.
  private var lastDevice: UInt32 = 0

  init(_ pipeline: RunningPipeline, _ server: Server) {
    self.pipeline = pipeline
    self.server = server
  }

  /// How many clients have a touchscreen.
  package var deviceCount: Int { devices.count }

  /// Carries out `inject`: a frame of the client's own touchscreen goes the way of every other.
  func inject(_ contacts: [InjectedContact], on screen: ScreenIndex, _ token: RequestToken) {
    var device = devices[token.client] ?? nextDevice()
    do throws(InjectedDevice.Refusal) {
      let events = try device.events(
        contacts, on: screen, of: pipeline.layout.screens, at: pipeline.now)
      devices[token.client] = device
      pipeline.take(ReusableArray(events), flags: .injected)
      server.answer(
        token, doneWith: Int(device.device.rawValue), generation: pipeline.generation)
    } catch {
      server.answer(token, .invalid, "inject: \(error.text)")
    }
  }

  /// Unplugs the touchscreen of a client that is gone.
  func removeDevice(of client: ClientID) {
    guard let device = devices.removeValue(forKey: client) else { return }
    let now = pipeline.now
    pipeline.update {
      $0.consume([.lost(device.device, reason: .deviceRemoved, time: now)], flags: .injected)
    }
  }

  /// Carries out `cancel`: ends a touch for everybody, or all of them. Rule R9.
  func cancel(_ touch: TouchID?, _ token: RequestToken) {
    let now = pipeline.now
    guard let touch else {
      let count = pipeline.router.liveTouchCount
      pipeline.update { $0.cancelAll(.requested, at: now) }
      return server.answer(token, doneWith: count, generation: pipeline.generation)
    }
    guard pipeline.update({ $0.cancel(touch, at: now) }) else {
      return server.answer(
        token, .invalid,
        "cancel: no program has touch \(touch.rawValue), it may be over; `touchroute monitor` "
          + "shows the numbers of touches")
    }
    server.answer(token, doneWith: 1, generation: pipeline.generation)
  }

  private func nextDevice() -> InjectedDevice {
    lastDevice &+= 1
    return InjectedDevice(DeviceID(InjectedDevice.firstDevice | lastDevice))
  }
}
