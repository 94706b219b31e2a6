import CLibevdev
package import Foundation

extension DeviceSheet {
  /// The devices of a `devices.json`: names of codes, or their numbers in hexadecimal.
  package static func catalogue(_ data: Data) throws -> [(sheet: DeviceSheet, isTouch: Bool)] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Entry].self, from: data).map {
      ($0.sheet, $0.observed?.libinputCaps?.contains("t") ?? false)
    }
  }

  private struct Entry: Decodable {
    struct Range: Decodable {
      var code: String
      var min: Int32
      var max: Int32
      var fuzz: Int32?
      var flat: Int32?
      var resolution: Int32?
    }
    struct Observed: Decodable {
      var libinputCaps: String?
    }
    var name: String
    var bustype: UInt16
    var vendor: UInt16
    var product: UInt16
    var version: UInt16
    var props: [String]
    var axes: [Range]
    var keys: [String]
    var observed: Observed?

    var sheet: DeviceSheet {
      var sheet = DeviceSheet(name: name, ids: [bustype, vendor, product, version])
      sheet.properties = Set(
        props.compactMap { DeviceSheet.number($0, libevdev_property_from_name) }.map(UInt32.init))
      for axis in axes {
        let code = DeviceSheet.number(axis.code) {
          libevdev_event_code_from_name(UInt32(EV_ABS), $0)
        }
        guard let code else { continue }
        sheet.axes[UInt16(code)] = Axis(
          axis.min, axis.max, fuzz: axis.fuzz ?? 0, flat: axis.flat ?? 0,
          resolution: axis.resolution ?? 0)
      }
      let keys = keys.compactMap { name in
        DeviceSheet.number(name) { libevdev_event_code_from_name(UInt32(EV_KEY), $0) }
      }
      if !keys.isEmpty { sheet.codes[UInt16(EV_KEY)] = Set(keys.map(UInt16.init)) }
      return sheet
    }
  }

  private static func number(
    _ name: String, _ lookUp: (UnsafePointer<CChar>?) -> Int32
  ) -> Int? {
    if name.hasPrefix("0x") { return Int(name.dropFirst(2), radix: 16) }
    let number = lookUp(name)
    return number < 0 ? nil : Int(number)
  }
}
