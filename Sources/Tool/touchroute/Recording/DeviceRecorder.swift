import DeviceRecordings
import Glibc
import LayoutDrawing
import TouchClient
import TouchInput
import TouchModel

/// Writes what a touchscreen reports to a file, as `libinput record` does: beside whoever else
/// reads it.
struct DeviceRecorder {
  private let device: DeviceDescription
  private let ungrabbed: UngrabbedDevice
  private let reader: EvdevReader

  /// Opens a touchscreen.
  ///
  /// - Parameter name: Its node, name, or vendor and product.
  init(_ name: String, _ socket: SocketOption) throws(Failure) {
    device = try NamedDevice.anyTouchscreen(name).description
    ungrabbed = try UngrabbedDevice(device, socket)
    let descriptor = open(device.node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(NodeAccess.explain(device.node, errno)) }
    guard let reader = EvdevReader(descriptor) else {
      throw Failure("\(device.node) is no event node of an input device")
    }
    self.reader = reader
  }

  /// Records until a signal asks for the end, or the device goes.
  func record(to path: String) throws {
    let file = try RecordFile(path)
    let signals = try AwaitedSignals(AwaitedSignals.endings)
    try file.line(
      LibinputRecording.text(
        .init(
          program: "touchroute \(Release.version)", system: .current, node: device.node,
          sheet: reader.sheet, hidDescriptor: RecordedSystem.hidDescriptor(node: device.node),
          udevProperties: device.properties)))
    var recording = LibinputRecording()
    let now = Timestamp(microseconds: MonotonicClock.now / 1000)
    if let report = reader.present(at: now) { try file.line(recording.text(report)) }
    try file.flush()
    let name = path == "-" ? "standard output" : path
    Failure("recording \(device.name) (\(device.node)) to \(name) until Ctrl-C").report()
    var count = 0
    var repairs = 0
    while true {
      var waited = [
        pollfd(fd: reader.pollDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ungrabbed.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      poll(&waited, nfds_t(waited.count), -1)
      if waited[2].revents != 0 { ungrabbed.hear() }
      let isThere = try reader.read { report in
        count += 1
        repairs += report.isRepair ? 1 : 0
        try file.line(recording.text(report))
      }
      try file.flush()
      guard isThere else {
        throw Failure(
          "\(device.node) is gone: \(name) has the \(Text.count(count, "report")) until then")
      }
      guard let signal = signals.next() else { continue }
      Failure(summary(count, repairs, name)).report()
      return AwaitedSignals.end(by: signal)
    }
  }

  private func summary(_ count: Int, _ repairs: Int, _ name: String) -> String {
    if count == 0 {
      return "\(device.name) has reported nothing; if a program has grabbed it, stop that first"
    }
    let lost =
      repairs > 0
      ? "; events were lost \(Text.count(repairs, "time")), as this program was too slow" : ""
    return "\(Text.count(count, "report")) of \(device.name) are in \(name)\(lost)"
  }
}
