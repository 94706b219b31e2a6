import Testing

@Suite("Traces of the example layouts")
struct ExampleTraceTests {
  /// The calls of a hit-test in an example, from the first line that is given on: the windows that
  /// are asked before, each missed, are left out.
  struct Trace: Sendable, CustomTestStringConvertible {
    var file: String
    var x: Double
    var y: Double
    var screen: String?
    var lines: [String]

    init(_ file: String, _ x: Double, _ y: Double, screen: String? = nil, _ text: String) {
      self.file = file
      self.x = x
      self.y = y
      self.screen = screen
      lines = text.split(separator: "\n").map(String.init)
    }

    var testDescription: String { "\(file) \(screen ?? "") (\(x), \(y))" }
  }

  static let traces = [
    Trace(
      "nested", 320, 100,
      """
      main hit
      main inside (320.0, 100.0): yes
      C hit
      C inside (-220.0, 80.0): no
      C hit: nothing
      B hit
      B inside (40.0, 80.0): yes
      B.2 hit
      B.2 inside (20.0, -150.0): no
      B.2 hit: nothing
      B.1 hit
      B.1 inside (20.0, 60.0): yes
      B.1 hit: main/B/B.1
      B hit: main/B/B.1
      main hit: main/B/B.1
      """),
    Trace(
      "nested", 100, 300,
      """
      main hit
      main inside (100.0, 300.0): yes
      C hit
      C inside (-440.0, 280.0): no
      C hit: nothing
      B hit
      B inside (-180.0, 280.0): no
      B hit: nothing
      A hit
      A inside (80.0, 280.0): yes
      A.2 hit
      A.2 inside (60.0, 50.0): yes
      A.2 hit: main/A/A.2
      A hit: main/A/A.2
      main hit: main/A/A.2
      """),
    Trace(
      "nested", 10, 10,
      """
      main hit
      main inside (10.0, 10.0): yes
      C hit
      C inside (-530.0, -10.0): no
      C hit: nothing
      B hit
      B inside (-270.0, -10.0): no
      B hit: nothing
      A hit
      A inside (-10.0, -10.0): no
      A hit: nothing
      main hit: main
      """),
    Trace(
      "overlap", 400, 200,
      """
      main hit
      main inside (400.0, 200.0): yes
      B hit
      B inside (40.0, 140.0): yes
      B.2 hit
      B.2 inside (-170.0, 100.0): no
      B.2 hit: nothing
      B.1 hit
      B.1 inside (30.0, 100.0): yes
      B.1 hit: main/B/B.1
      B hit: main/B/B.1
      main hit: main/B/B.1
      """),
    Trace(
      "siblings", 220, 300,
      """
      yellow hit
      yellow inside (12.0, 40.0): no
      yellow hit: nothing
      gray hit
      gray inside (220.0, 300.0): yes
      green hit
      green inside (180.0, 260.0): no
      green hit: nothing
      red hit
      red inside (60.0, 140.0): yes
      red hit: gray/red
      gray hit: gray/red
      """),
    Trace(
      "siblings", 220, 300, screen: "always",
      """
      always.yellow hit
      always.yellow inside (12.0, 40.0): yes
      always.yellow hit: always.yellow
      """),
    Trace(
      "overflow", 160, 70,
      """
      plain hit
      plain inside (160.0, 70.0): yes
      row hit
      row inside (130.0, -10.0): no
      row hit: nothing
      plain hit: plain
      """),
    Trace(
      "overflow", 360, 70,
      """
      children hit
      children inside (160.0, 70.0): yes
      row hit
      row inside (130.0, -10.0): yes
      button inside (30.0, 10.0): yes
      button hit
      button inside (30.0, 10.0): yes
      button hit: children/row/button
      row hit: children/row/button
      children hit: children/row/button
      """),
    Trace(
      "overflow", 560, 70,
      """
      disabled hit
      disabled inside (160.0, 70.0): yes
      row hit
      row inside (130.0, -10.0): yes
      button inside (30.0, 10.0): yes
      button hit
      button hit: nothing
      row hit: disabled/row
      disabled hit: disabled/row
      """),
    Trace(
      "overflow", 160, 270,
      """
      first hit
      first inside (160.0, 70.0): yes
      row hit
      button hit
      button inside (30.0, 10.0): yes
      button hit: first/row/button
      row hit: first/row/button
      first hit: first/row/button
      """),
    Trace(
      "overflow", 50, 320,
      """
      first hit
      first inside (50.0, 120.0): yes
      row hit
      button hit
      button inside (-80.0, 60.0): no
      button hit: nothing
      row inside (20.0, 40.0): yes
      button hit
      button inside (-80.0, 60.0): no
      button hit: nothing
      row hit: first/row
      first hit: first/row
      """),
    Trace(
      "overflow", 360, 270,
      """
      covered.children hit
      covered.children inside (160.0, 70.0): yes
      cover hit
      cover inside (10.0, 30.0): yes
      cover hit: covered.children/cover
      covered.children hit: covered.children/cover
      """),
    Trace(
      "overflow", 560, 270,
      """
      covered.first hit
      covered.first inside (160.0, 70.0): yes
      cover hit
      cover inside (10.0, 30.0): yes
      cover hit: covered.first/cover
      covered.first hit: covered.first/cover
      """),
    Trace(
      "small-target", 185, 95,
      """
      home hit
      home inside (185.0, 95.0): yes
      wide-strip hit
      wide-strip inside (-275.0, 55.0): no
      wide-strip hit: nothing
      strip hit
      strip inside (-115.0, 55.0): no
      strip hit: nothing
      button hit
      button inside (-5.0, -5.0): yes
      button hit: home/button
      home hit: home/button
      """),
    Trace(
      "small-target", 295, 110,
      """
      home hit
      home inside (295.0, 110.0): yes
      wide-strip hit
      wide-strip inside (-165.0, 70.0): no
      wide-strip hit: nothing
      strip hit
      strip inside (-5.0, 70.0): no
      strip hit: nothing
      button hit
      button inside (105.0, 10.0): no
      button hit: nothing
      home hit: home
      """),
    Trace(
      "small-target", 305, 110,
      """
      home hit
      home inside (305.0, 110.0): yes
      wide-strip hit
      wide-strip inside (-155.0, 70.0): no
      wide-strip hit: nothing
      strip hit
      strip inside (5.0, 70.0): yes
      button hit
      button inside (5.0, 10.0): yes
      button hit: home/strip/button
      strip hit: home/strip/button
      home hit: home/strip/button
      """),
    Trace(
      "overlay", 740, 320,
      """
      overlay hit
      overlay inside (740.0, 320.0): yes
      tools hit
      tools inside (40.0, 200.0): yes
      undo hit
      undo hit: nothing
      eraser hit
      eraser inside (32.0, 112.0): no
      eraser hit: nothing
      pen hit
      pen inside (32.0, 192.0): no
      pen hit: nothing
      tools hit: nothing
      close hit
      close inside (0.0, 304.0): no
      close hit: nothing
      overlay hit: nothing
      page hit
      page inside (740.0, 320.0): yes
      links hit
      links inside (700.0, -60.0): no
      links hit: nothing
      text hit
      text inside (700.0, 280.0): yes
      text hit: page/text
      page hit: page/text
      """),
    Trace(
      "overlay", 740, 150,
      """
      overlay hit
      overlay inside (740.0, 150.0): yes
      tools hit
      tools inside (40.0, 30.0): yes
      undo hit
      undo hit: nothing
      eraser hit
      eraser inside (32.0, -58.0): no
      eraser hit: nothing
      pen hit
      pen inside (32.0, 22.0): yes
      pen hit: overlay/tools/pen
      tools hit: overlay/tools/pen
      overlay hit: overlay/tools/pen
      """),
    Trace(
      "carousel", 100, 200,
      """
      home hit
      home inside (100.0, 200.0): yes
      dots hit
      dots inside (-240.0, -190.0): no
      dots hit: nothing
      carousel hit
      carousel inside (100.0, 80.0): yes
      strip hit
      strip inside (150.0, 80.0): no
      strip hit: nothing
      carousel hit: home/carousel/strip
      home hit: home/carousel/strip
      """),
    Trace(
      "carousel", 400, 200,
      """
      home hit
      home inside (400.0, 200.0): yes
      dots hit
      dots inside (60.0, -190.0): no
      dots hit: nothing
      carousel hit
      carousel inside (400.0, 80.0): yes
      strip hit
      strip inside (450.0, 80.0): yes
      card-3 hit
      card-3 inside (-160.0, 70.0): no
      card-3 hit: nothing
      card-2 hit
      card-2 inside (140.0, 70.0): yes
      card-2 hit: home/carousel/strip/card-2
      strip hit: home/carousel/strip/card-2
      carousel hit: home/carousel/strip
      home hit: home/carousel/strip
      """),
    Trace(
      "kiosk", 920, 1860,
      """
      shield hit
      shield hit: nothing
      keyboard hit
      keyboard inside (920.0, 640.0): no
      keyboard hit: nothing
      home hit
      home inside (920.0, 1860.0): yes
      pay hit
      pay inside (452.0, 80.0): yes
      pay hit: home/pay
      home hit: home/pay
      """),
    Trace(
      "head-unit", 640, 585,
      """
      media hit
      media inside (640.0, -15.0): yes
      play inside (52.0, 9.0): yes
      sources hit
      sources inside (-330.0, -27.0): no
      sources hit: nothing
      repeat hit
      repeat inside (-254.0, -51.0): no
      repeat hit: nothing
      shuffle hit
      shuffle inside (-190.0, -51.0): no
      shuffle hit: nothing
      next hit
      next inside (-96.0, -43.0): no
      next hit: nothing
      play hit
      play inside (52.0, 9.0): yes
      play hit: media/play
      media hit: media/play
      """),
    Trace(
      "head-unit", 464, 400,
      """
      call hit
      call inside (464.0, 400.0): yes
      card hit
      card inside (64.0, 240.0): yes
      accept hit
      accept inside (-260.0, 48.0): no
      accept hit: nothing
      decline hit
      decline inside (4.0, 48.0): yes
      decline hit: call/card/decline
      card hit: call/card/decline
      call hit: call/card/decline
      """),
    Trace(
      "control-surface", 806, 300,
      """
      deck hit
      deck inside (806.0, 300.0): yes
      brightness hit
      brightness inside (-114.0, 288.0): no
      brightness hit: nothing
      volume hit
      volume inside (-10.0, 288.0): yes
      thumb hit
      thumb hit: nothing
      track hit
      track hit: nothing
      volume hit: deck/volume
      deck hit: deck/volume
      """),
  ]

  @Test("the calls come as the recursion makes them (H9)", arguments: traces)
  func calls(_ trace: Trace) throws {
    let example = try ExampleLayout(trace.file)
    let lines = try example.trace(trace.x, trace.y, on: trace.screen)
    let first = try #require(lines.firstIndex { $0 == trace.lines.first })
    #expect(Array(lines[first...]) == trace.lines)
    let before = lines[..<first].filter { $0.contains(" hit: ") }
    #expect(before.allSatisfy { $0.hasSuffix(" hit: nothing") })
    #expect(before.last == lines[..<first].last)
  }
}
