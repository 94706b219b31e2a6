import CLibevdev
import VirtualDevices

/// Panels as docs/boards.md describes them, by its headings.
enum BoardDevices {
  /// How a panel is made for a test.
  enum Kind {
    case uinput(DeviceSheet)
    /// An absolute mouse of one button, which the kernel's own HID driver makes.
    case mouse(name: String, vendor: UInt32, product: UInt32)
  }

  /// The devices of a section; fingers touch the first.
  static let all: [String: [Kind]] = [
    "Raspberry Pi Touch Display (7 inches, DSI)": [
      .uinput(
        .multitouch(name: "generic ft5x06 (00)", ids: [0x18, 0, 0, 0], width: 800, height: 480))
    ],
    "Raspberry Pi Touch Display 2": [.uinput(goodix("11-005d", product: 0x38f, 720, 1280))],
    "Turned twice": [.uinput(goodix("11-005d", product: 0x38f, 720, 1280))],
    "Ghost touches": [
      .uinput(
        .multitouch(name: "generic ft5x06 (00)", ids: [0x18, 0, 0, 0], width: 800, height: 480))
    ],
    "Rockchip: the vendor's Goodix driver": [
      .uinput(
        .multitouch(
          name: "goodix-ts", ids: [0x18, 0xdead, 0xbeef, 0x28bb], slots: 16, width: 800,
          height: 1280))
    ],
    "Goodix: no touchscreen to udev": [.uinput(oldGoodix)],
    "Rockchip: axes that are not as declared": [
      .uinput(
        .multitouch(
          name: "tlsc6x_touch", ids: [0x18, 0, 0, 0], slots: 2, width: 481, height: 273))
    ],
    "i.MX 8: axes inverted": [.uinput(goodix("1-005d", product: 0x3a0, 1024, 768))],
    "Resistive panels": [
      .uinput(.singleTouch(name: "iMX6UL Touchscreen Controller", ids: [0x19, 0, 0, 0]))
    ],
    "ILITEK: a mouse beside the touchscreen": [.uinput(ilitek), .uinput(ilitekMouse)],
    "eGalax: a tablet to udev": [.uinput(eGalax)],
    "eGalax: eGTouchD": [
      .uinput(
        .multitouch(
          name: "eGalaxTouch Virtual Device for Multi", ids: [6, 0xeef, 0x20, 1], slots: 21,
          width: 2048, height: 2048)),
      .uinput(
        .multitouch(
          name: "eGalax Inc. eGalaxTouch EXC7910-1018-13.00.01", ids: [3, 0xeef, 0xa107, 0x210])),
    ],
    "A panel that says it is a mouse": [
      .mouse(name: "eGalax Inc. USB TouchController", vendor: 0xeef, product: 0x731a)
    ],
    "Waveshare: HDMI and USB": [
      .uinput(.multitouch(name: "WaveShare WaveShare", ids: [3, 0x712, 0xa, 0x110]))
    ],
  ]

  /// The mainline driver's, which also announces keys.
  private static func goodix(
    _ place: String, product: UInt16, _ width: Int32, _ height: Int32
  ) -> DeviceSheet {
    var sheet = DeviceSheet.multitouch(
      name: "\(place) Goodix Capacitive TouchScreen", ids: [0x18, 0x416, product, 0x1060],
      slots: 5, width: width, height: height)
    sheet.phys = "input/ts"
    sheet.codes[UInt16(EV_KEY)] = [
      UInt16(BTN_TOUCH), UInt16(KEY_LEFTMETA), UInt16(KEY_F1), UInt16(KEY_F2),
    ]
    return sheet
  }

  /// Protocol A, without BTN_TOUCH and INPUT_PROP_DIRECT.
  private static let oldGoodix: DeviceSheet = {
    var sheet = DeviceSheet(name: "goodix-ts", ids: [0x18, 0xdead, 0xbeef, 0x28bb])
    sheet.axes[UInt16(ABS_MT_TOUCH_MAJOR)] = .init(0, 255)
    sheet.axes[UInt16(ABS_MT_WIDTH_MAJOR)] = .init(0, 255)
    sheet.axes[UInt16(ABS_MT_POSITION_X)] = .init(0, 799)
    sheet.axes[UInt16(ABS_MT_POSITION_Y)] = .init(0, 479)
    sheet.axes[UInt16(ABS_MT_TRACKING_ID)] = .init(0, 5)
    return sheet
  }()

  private static let ilitek: DeviceSheet = {
    var sheet = DeviceSheet.multitouch(
      name: "ILITEK ILITEK-TP", ids: [3, 0x222a, 1, 0x110], width: 16385, height: 9601)
    sheet.phys = "usb-0000:00:14.0-7.4/input0"
    for (x, y) in [(ABS_X, ABS_Y), (ABS_MT_POSITION_X, ABS_MT_POSITION_Y)] {
      sheet.axes[UInt16(x)]?.resolution = 76
      sheet.axes[UInt16(y)]?.resolution = 71
    }
    return sheet
  }()

  private static let ilitekMouse: DeviceSheet = {
    var sheet = DeviceSheet(name: "ILITEK ILITEK-TP Mouse", ids: [3, 0x222a, 1, 0x110])
    sheet.phys = "usb-0000:00:14.0-7.4/input1"
    sheet.codes[UInt16(EV_KEY)] = Set(UInt16(BTN_LEFT)...UInt16(BTN_EXTRA))
    sheet.axes = [UInt16(ABS_X): .init(0, 16384), UInt16(ABS_Y): .init(0, 9600)]
    return sheet
  }()

  /// As Recordings has it.
  private static let eGalax: DeviceSheet = {
    var sheet = DeviceSheet(name: "eGalax Inc. USB TouchController", ids: [3, 0xeef, 1, 0x210])
    sheet.codes[UInt16(EV_KEY)] = [
      UInt16(BTN_LEFT), UInt16(BTN_RIGHT), UInt16(BTN_TOOL_PEN), UInt16(BTN_TOUCH),
    ]
    sheet.axes = [UInt16(ABS_X): .init(42, 1981), UInt16(ABS_Y): .init(42, 1981)]
    return sheet
  }()
}
