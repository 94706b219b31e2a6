import CLibinput
import CLinux
import Glibc
import Logging
import TouchModel

/// Opens and closes nodes for libinput: its `libinput_interface`, and the context's user data.
///
/// Only what udev calls a touchscreen is ever opened: a daemon for touches has no business in
/// holding the keyboard, and libinput would reject or disable the rest anyway.
final class DeviceOpener {
  /// Says which devices to grab; nil for none.
  var matcher: DeviceMatcher?
  /// Takes this object's sentences, and libinput's.
  let report: (Logger.Level, String) -> Void
  /// Is told the node of a touchscreen whose events the kernel has lost.
  var onDrop: (String) -> Void = { _ in }
  /// Is told a descriptor that is about to be closed.
  var onClose: (Int32) -> Void = { _ in }
  /// Why the last `open` failed; nil after one that did not.
  private(set) var failure: String?

  /// Ours until the end.
  private let udev: OpaquePointer
  /// libinput keeps the pointer, so it lives as long as this object, which outlives the context.
  let interface: UnsafeMutablePointer<libinput_interface>
  /// Whether libinput asks for pens: of a seat, but not where nodes are named.
  var opensPens = false
  /// The pens that were opened or asked for, by their places in sysfs: a pen that is plugged in
  /// again has another one. Some may be gone, or libinput may have refused them. Rule N12.
  private var pens: Set<String> = []
  /// The open nodes: the descriptors are libinput's to give back.
  private var open: [(descriptor: Int32, node: String)] = []
  /// Nodes that are not grabbed for now, whatever is configured.
  private var ungrabbed: Set<String> = []
  /// Nodes that another process had grabbed, so that we could not.
  private var waiting: Set<String> = [] { didSet { awaitsGrab = !waiting.isEmpty } }
  /// Whether another process had grabbed a node that is to be ours. Beside the nodes, for the way
  /// of a touch.
  private(set) var awaitsGrab = false

  init(
    udev: OpaquePointer, matcher: DeviceMatcher?,
    _ report: @escaping (Logger.Level, String) -> Void
  ) {
    self.udev = udev_ref(udev)
    self.matcher = matcher
    self.report = report
    interface = .allocate(capacity: 1)
    interface.initialize(
      to: libinput_interface(
        open_restricted: { path, flags, context in
          guard let path, let context else { return -EINVAL }
          return Unmanaged<DeviceOpener>.fromOpaque(context).takeUnretainedValue()
            .open(String(cString: path), flags)
        },
        close_restricted: { descriptor, context in
          guard let context else { return }
          Unmanaged<DeviceOpener>.fromOpaque(context).takeUnretainedValue().close(descriptor)
        }))
  }

  deinit {
    interface.deallocate()
    udev_unref(udev)
  }

  /// Whether the path leads to an evdev node.
  func isEventNode(_ node: String) -> Bool {
    var status = stat()
    guard stat(node, &status) == 0,
      let device = udev_device_new_from_devnum(udev, CChar(UInt8(ascii: "c")), status.st_rdev)
    else { return false }
    defer { udev_device_unref(device) }
    let isInput = udev_device_get_subsystem(device).map { String(cString: $0) } == "input"
    let name = udev_device_get_sysname(device).map { String(cString: $0) }
    return isInput && name?.hasPrefix("event") == true
  }

  /// The descriptor of a node that is open.
  func descriptor(of node: String) -> Int32? { open.first { $0.node == node }?.descriptor }

  /// Grabs the node, or lets go of it, where it is open. The corresponding ioctl is EVIOCGRAB.
  func setGrab(_ node: String, _ grab: Bool) {
    waiting.remove(node)
    guard let entry = open.first(where: { $0.node == node }) else { return }
    if grab, ungrabbed.contains(node) { return }
    if clinux_evdev_grab(entry.descriptor, grab ? 1 : 0) == 0 { return }
    let code = errno
    if grab, code == EBUSY { waiting.insert(node) }
    let reason = String(cString: clinux_error_text(code))
    let busy = code == EBUSY ? ": another process has it, and gets all of its touches" : ""
    report(.error, "\(node) can't be \(grab ? "grabbed" : "let go of") (\(reason))\(busy)")
  }

  /// Grabs what another process had grabbed before. That it has let go the kernel does not tell;
  /// but only then does the node report anything.
  func grabWaiting() {
    for entry in open where waiting.contains(entry.node) {
      if clinux_evdev_grab(entry.descriptor, 1) != 0 { continue }
      waiting.remove(entry.node)
      report(.notice, "\(entry.node) is grabbed: the other process has let go of it")
    }
  }

  /// Whether a node is not grabbed for now, whatever is configured.
  func isUngrabbed(_ node: String) -> Bool { ungrabbed.contains(node) }

  /// Lets other programs read a node, also where it is opened anew meanwhile.
  ///
  /// - Parameter isGrabbed: Whether it is grabbed now.
  func ungrab(_ node: String, isGrabbed: Bool) {
    if isGrabbed, waiting.remove(node) == nil { setGrab(node, false) }
    ungrabbed.insert(node)
  }

  /// Ends that.
  ///
  /// - Parameter grab: Whether the node is grabbed then.
  func endUngrab(_ node: String, grab: Bool) {
    guard ungrabbed.remove(node) != nil, grab else { return }
    setGrab(node, true)
  }

  /// A descriptor, or a negative errno.
  private func open(_ node: String, _ flags: Int32) -> Int32 {
    failure = nil
    // Nodes that are gone before anybody could look at them are no touchscreens that one misses; a
    // named one fails with this sentence.
    guard let device = DeviceDescription(node: node, udev: udev) else {
      return fail(ENODEV, NodeAccess.explain(node, ENODEV), .debug)
    }
    if device.outputName != nil {
      // What we have handed on would come back to us, whatever seat the device is on.
      let sentence = "\(device.label) is a virtual touchscreen of touchroute output"
      return fail(ENODEV, "\(sentence), which touchrouted never reads", .debug)
    }
    guard device.isTaggedTouchscreen || isWantedPen(device) else {
      return fail(ENODEV, "\(device.label) is no touchscreen to udev", .debug)
    }
    var descriptor = Glibc.open(node, flags | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0, errno == EACCES || errno == EPERM {
      // Reading is enough for touches; writing is for lights.
      descriptor = Glibc.open(node, (flags & ~O_ACCMODE) | O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else {
      let code = errno
      let name = device.name.printable()
      let sentence = "touchscreen \"\(name)\" is not used: \(NodeAccess.explain(node, code))"
      return fail(code, sentence, code == EACCES || code == EPERM ? .error : .notice)
    }
    open.append((descriptor, device.node))
    if !device.isTaggedTouchscreen { pens.insert(device.place) }
    if let assignment = matcher?.assignment(of: device), assignment.grab, !assignment.ignore {
      setGrab(device.node, true)
    }
    return descriptor
  }

  /// Whether udev knows a pen of a touchscreen that was neither opened nor asked for before: of one
  /// piece of hardware udev may look at the pen first. Each pen is asked for once, also where it
  /// can't be opened.
  func asksForPen(of touchscreen: DeviceDescription) -> Bool {
    guard opensPens else { return false }
    let nodes = DeviceDescription.eventNodes(udev)
    pens.formIntersection(nodes.map(\.place))
    let count = pens.count
    for pen in nodes where pen.hasTag("ID_INPUT_TABLET") && pen.isSibling(of: touchscreen) {
      pens.insert(pen.place)
    }
    return pens.count > count
  }

  /// Whether it is the pen of a touchscreen whose fingers it is to hold off: libinput does that
  /// where it has both open. Rule N12.
  func isWantedPen(_ device: DeviceDescription) -> Bool {
    guard opensPens, device.hasTag("ID_INPUT_TABLET"), let matcher,
      matcher.rules.contains(where: \.holdsOff)
    else { return false }
    return DeviceDescription.eventNodes(udev).contains {
      $0.isTaggedTouchscreen && $0.isSibling(of: device) && matcher.assignment(of: $0).holdsOff
    }
  }

  private func close(_ descriptor: Int32) {
    onClose(descriptor)
    for entry in open where entry.descriptor == descriptor { waiting.remove(entry.node) }
    open.removeAll { $0.descriptor == descriptor }
    _ = Glibc.close(descriptor)
  }

  private func fail(_ code: Int32, _ sentence: String, _ level: Logger.Level) -> Int32 {
    failure = sentence
    report(level, sentence)
    return -code
  }
}

extension DeviceRule {
  /// Whether a pen holds fingers off. Rule N12.
  fileprivate var holdsOff: Bool { signal.palm?.pen == true && !ignore }
}

extension DeviceAssignment {
  /// Whether a pen holds its fingers off. Rule N12.
  var holdsOff: Bool { signal.palm?.pen == true && !ignore }
}
