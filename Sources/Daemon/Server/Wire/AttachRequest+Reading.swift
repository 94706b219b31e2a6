import CTouchroute
import Routing
import TouchModel
import Wire

extension AttachRequest {
  /// Reads `attach`. Rule R2.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_attach.self)
    try reader.require(exactly: padded(Int(fixed.path_size)))
    let path = try reader.string(fixed.path_size, 1...TOUCHROUTE_MAX_PATH, "path")
    let flags = Wire.AttachFlags(rawValue: fixed.flags)
    guard flags.isSubset(of: .all) else {
      throw reader.invalid(
        "flags is \(fixed.flags): this daemon knows \(Wire.AttachFlags.all.rawValue) and its parts")
    }
    self.init(
      path: path, handles: TouchPhases(rawValue: fixed.handles),
      passes: TouchPhases(rawValue: fixed.passes), takesOver: flags.contains(.takeOver),
      wantsHistory: flags.contains(.history), waits: flags.contains(.wait),
      handlesGestures: flags.contains(.gestures))
  }
}
