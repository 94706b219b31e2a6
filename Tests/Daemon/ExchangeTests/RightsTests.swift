import CAllocationCount
import CThreadCredentials
import Configuration
import DaemonSupport
import Glibc
import Layout
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// What programs may not do to one another, tried by programs of other users: only root can make
/// such.
@Suite("Exchange, rights of programs", .enabled(if: geteuid() == 0))
struct RightsTests {
  private static let shield = """
    [[window]]
    name = "shield"
    level = 100
    frame = [0, 0, 800, 480]
    hit = "self"
    hidden = true

    """
  private static let rules = """
    [[access]]
    path = "left"
    users = ["4001"]

    """
  private static let pin = """
    [[view]]
    path = "right/panel"
    frame = [0, 200, 400, 280]
    controller = "pad"
    [[view]]
    path = "right/panel/pin"
    frame = [10, 10, 200, 200]
    secure = true
    [[view]]
    path = "right/panel/pin/key"
    frame = [0, 0, 20, 20]

    """

  @Test("to make a view secure costs no look at the paths of other attachments (F1, S3)")
  func secureCost() throws {
    var counts: [UInt] = []
    for count in [10, 200] {
      let bench = try bench()
      let holder = try client(bench, user: 4001, attachedTo: "right")
      let other = try client(bench, user: 4002)
      let left = try other.connection.attach(to: "left")
      _ = try other.next(meanwhile: bench.turn, \.geometry)
      try other.connection.changeViews(
        (0..<count).map {
          .add(Subview("row\($0)", frame: Rect(x: 0, y: 0, width: 1, height: 1)))
        }, in: left)
      _ = try other.next(meanwhile: bench.turn, \.completion)
      for number in 0..<count {
        #expect(try bench.attach(other, "left/row\(number)") == nil)
      }
      var fewest = UInt.max
      for round in 0..<8 {
        let isSecure = round.isMultiple(of: 2)
        try holder.connection.set([Change("right/button", .secure(isSecure))])
        _ = holder.pending()
        let before = allocation_count()
        try bench.turn { !holder.pending().isEmpty }
        fewest = min(fewest, allocation_count() - before)
        let layout = bench.exchange.pipeline.layout
        #expect(layout.hasNoSecureView != isSecure)
      }
      counts.append(fewest)
    }
    // A look at the path and the program of each allocates some sixty times.
    #expect(counts[1] <= counts[0] + 30 * 190, "\(counts)")
  }

  private func bench(_ more: String...) throws -> ExchangeBench {
    let bench = try ExchangeBench(twoWindows + more.joined())
    for kind in SocketKind.allCases { try #require(chmod(bench.path(kind), 0o666) == 0) }
    return bench
  }

  private func client(
    _ bench: ExchangeBench, user: UInt32, attachedTo paths: String...
  ) throws -> DaemonClient {
    try #require(thread_become(user, 9, [], 0) == 0)
    let client: DaemonClient
    do {
      defer { precondition(thread_become_root() == 0, "root again") }
      client = try DaemonClient(bench.path(.client))
    }
    for path in paths {
      let refusal = try bench.attach(client, path)
      try #require(refusal == nil)
    }
    return client
  }

  private func view(_ bench: ExchangeBench, _ path: String) throws -> Layout.View {
    let layout = bench.exchange.pipeline.router.layout
    return layout[try #require(layout.view(at: path))]
  }

  private func reload(_ bench: ExchangeBench, _ more: String...) throws {
    let text = twoWindows + more.joined()
    _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    bench.exchange.endTurn()
    try bench.turn()
  }

  // MARK: - Around a rule

  @Test("an application is for those whom the rules of all its windows allow, or its own (F6, S20)")
  func application() throws {
    let bench = try bench(Self.rules)
    let stranger = try client(bench, user: 4002)
    let failure = try #require(try bench.attach(stranger, "app:dashboard"))
    #expect(failure.code == .notAllowed)
    #expect(
      failure.text.hasPrefix(
        "\"app:dashboard\" gets the touches that \"left\" leaves, which is for user 4001 and root"))
    let named = try client(bench, user: 4001)
    #expect(try bench.attach(named, "app:dashboard") == nil)
    let own = try self.bench(
      Self.rules, "[[access]]\npath = \"app:dashboard\"\nusers = [\"4002\"]\n")
    let owner = try client(own, user: 4002, attachedTo: "app:dashboard")
    // It has the application's touches, and still no right to what a rule takes.
    let refused = try #require(
      try own.set(owner, Change("right", .alpha(0.5)), Change("left", .hidden(true))))
    #expect(refused.code == .notAllowed)
    #expect(
      refused.text.hasPrefix("set: change 2, hidden of \"left\": it is for user 4001 and root"))
    #expect(try !view(own, "left").isHidden)
    #expect(try own.set(owner, Change("right", .alpha(0.5))) == nil)
  }

  @Test("who holds a superview may not change a view that a rule is about (F7, S21)")
  func superview() throws {
    let bench = try bench("[[access]]\npath = \"right/button\"\nusers = [\"4001\"]\n")
    let holder = try client(bench, user: 4002, attachedTo: "right")
    let refused = try bench.set(holder, Change("right/button", .hidden(true)))
    #expect(refused?.code == .notAllowed)
    // Whom the rule names needs no attachment.
    let named = try client(bench, user: 4001)
    #expect(try bench.set(named, Change("right/button", .hidden(true))) == nil)
  }

  @Test("a window's holder may not set it over another window, nor before others (L6, S31)")
  func area() throws {
    let bench = try bench(Self.rules)
    let owner = try client(bench, user: 4001, attachedTo: "left")
    let holder = try client(bench, user: 4002, attachedTo: "right")
    let double = AffineTransform(a: 3, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    for change in [
      Change("right", .frame(Rect(x: 0, y: 0, width: 800, height: 480))),
      Change("right", .frame(Rect(x: 399, y: 0, width: 400, height: 480))),
      Change("right", .transform(double)), Change("right", .order(9)),
    ] {
      #expect(try bench.set(holder, change)?.code == .notAllowed, "\(change)")
    }
    let refused = try bench.set(
      holder, Change("right", .frame(Rect(x: 100, y: 0, width: 400, height: 480))))
    #expect(
      refused?.text
        == "set: change 1, frame of \"right\": \"right\" would be at [100, 0, 400, 480] on the "
        + "screen, outside of [400, 0, 400, 480], the area that the configuration gives to "
        + "\"right\"; `resizable = true` in its [[window]] allows it, or an [[access]] rule that "
        + "names this program's user")
    // Within it, or out of the screen, it may.
    for frame in [
      Rect(x: 500, y: 10, width: 300, height: 100), Rect(x: 700, y: 0, width: 400, height: 480),
    ] {
      #expect(try bench.set(holder, Change("right", .frame(frame))) == nil)
    }
    bench.down(0, 150, 150)
    bench.frame()
    #expect(try bench.touches(of: owner).map(\.phase) == [.began])
    #expect(try bench.touches(of: holder).isEmpty)
  }

  @Test("a window that is resizable may be set anywhere, though not before others (L6)")
  func resizable() throws {
    let text = twoWindows.replacing(
      "name = \"right\"", with: "name = \"right\"\nresizable = true")
    let bench = try ExchangeBench(text)
    try #require(chmod(bench.path(.client), 0o666) == 0)
    let holder = try client(bench, user: 4002, attachedTo: "right")
    let all = Rect(x: 0, y: 0, width: 800, height: 480)
    #expect(try bench.set(holder, Change("right", .frame(all))) == nil)
    #expect(try bench.set(holder, Change("right", .order(0)))?.code == .notAllowed)
    #expect(try view(bench, "right").frame == all)
  }

  // MARK: - What is secret

  @Test("a holder makes views of its window secure, and takes no more back than that (F6, S22)")
  func holdersSecrets() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    let holder = try client(bench, user: 4001, attachedTo: "right")
    let other = try client(bench, user: 4002, attachedTo: "right/button")
    func isSecure() throws -> Bool { try view(bench, "right/button").isSecure }
    let secure = Change("right/button", .secure(true))
    let open = Change("right/button", .secure(false))
    // What is another's there ends.
    #expect(try bench.set(holder, secure) == nil)
    #expect(try isSecure())
    try bench.turn()
    #expect(other.pending().compactMap(\.detachment).map(\.reason) == [.notAllowed])
    #expect(try bench.attach(other, "right/button")?.code == .notAllowed)
    #expect(try bench.set(holder, open) == nil)
    #expect(try !isSecure())
    #expect(try bench.attach(other, "right/button") == nil)
    // What others keep secret stays that.
    #expect(try bench.set(control, secure) == nil)
    #expect(try bench.set(holder, secure) == nil)
    #expect(try bench.set(holder, open)?.code == .notAllowed)
    #expect(try bench.set(holder, Change("right/button", .configured)) == nil)
    #expect(try isSecure())
    #expect(try bench.set(control, open) == nil)
    #expect(try !isSecure())
    // It goes with the attachment.
    #expect(try bench.set(holder, secure) == nil)
    #expect(try isSecure())
    #expect(try bench.attach(control, "right", .takeOver) == nil)
    #expect(try !isSecure())
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a client that waits for a secure view gets it once that is secure no more (R2, F6)")
  func openedView() throws {
    let bench = try bench()
    let holder = try client(bench, user: 4001, attachedTo: "right")
    let other = try client(bench, user: 4002)
    #expect(try bench.attach(other, "right/button", .wait) == nil)
    #expect(try bench.set(holder, Change("right/button", .secure(true))) == nil)
    let waiting = try other.next(meanwhile: bench.turn, \.waiting)
    #expect(waiting.reason == .notAllowed)
    #expect(try bench.set(holder, Change("right/button", .secure(false))) == nil)
    let geometry = try other.next(meanwhile: bench.turn, \.geometry)
    #expect(geometry.attachment == waiting.attachment)
  }

  @Test("what is configured as secure is for nobody's attachment to open (F6, L6)")
  func configuredSecrets() throws {
    let bench = try bench(Self.pin)
    let holder = try client(bench, user: 4001, attachedTo: "right")
    let pin = "right/panel/pin"
    #expect(try bench.set(holder, Change(pin, .secure(false)))?.code == .notAllowed)
    #expect(try bench.set(holder, Change(pin, .secure(true))) == nil)
    #expect(try bench.set(holder, Change(pin, .secure(false)))?.code == .notAllowed)
    #expect(try bench.set(holder, Change(pin, .configured)) == nil)
    #expect(try view(bench, pin).isSecure)
    // A rule's user may, as long as it is one: then who may not have the view loses it.
    let rule = Self.rules.replacing("left", with: pin)
    try reload(bench, Self.pin, rule)
    let named = try client(bench, user: 4001)
    #expect(try bench.set(named, Change(pin, .secure(false))) == nil)
    #expect(try !view(bench, pin).isSecure)
    let other = try client(bench, user: 4002, attachedTo: "right/panel")
    withExtendedLifetime(named) {}
    try reload(bench, Self.pin)
    #expect(try view(bench, pin).isSecure)
    #expect(other.pending().compactMap(\.detachment).map(\.reason) == [.notAllowed])
  }

  @Test("who only holds a view has no say in whether it is secure (F6, S22)")
  func viewsSecrets() throws {
    let bench = try bench()
    let part = try client(bench, user: 4002, attachedTo: "right/button")
    #expect(try bench.set(part, Change("right/button", .secure(true)))?.code == .notAllowed)
    let window = try client(bench, user: 4001, attachedTo: "right")
    #expect(try bench.set(window, Change("right", .secure(true)))?.code == .notAllowed)
    #expect(try bench.set(window, Change("right", .level(5)))?.code == .notAllowed)
    #expect(try bench.set(window, Change("right/button", .level(5)))?.code == .invalid)
    let control = try bench.client(.control)
    #expect(try bench.set(control, Change("left", .level(-1)), Change("right", .level(-1))) == nil)
    // A window that is made secure is for root and for those whom a rule names.
    #expect(try bench.set(control, Change("right", .secure(true))) == nil)
    try bench.turn()
    #expect(window.pending().compactMap(\.detachment).map(\.reason) == [.notAllowed])
  }

  // MARK: - Whose it is

  @Test("a touch lock that a program shows goes with it; who a rule names may unlock (L6, F7, S32)")
  func touchLock() throws {
    let bench = try bench(Self.shield)
    let left = try client(bench, user: 4001, attachedTo: "left")
    func lockAndGo() throws {
      let stranger = try client(bench, user: 4002)
      #expect(try bench.set(stranger, Change("shield", .hidden(false)))?.code == .notAllowed)
      #expect(try bench.attach(stranger, "shield") == nil)
      #expect(try bench.set(stranger, Change("shield", .hidden(false))) == nil)
      bench.down(0, 10, 10)
      bench.frame()
      #expect(try bench.touches(of: left).isEmpty)
    }
    try lockAndGo()
    try bench.turn { (try? view(bench, "shield").isHidden) ?? false }
    bench.down(1, 20, 20)
    bench.frame()
    #expect(try bench.touches(of: left).map(\.phase) == [.began])
  }

  @Test(
    "what was set goes with the attachment through which it was set, however that ends (L6, S32)")
  func passing() throws {
    let bench = try bench(Self.shield)
    let control = try bench.client(.control)
    let hide = Change("right/button", .hidden(true))
    func isHidden() throws -> Bool { try view(bench, "right/button").isHidden }
    // Detached.
    let holder = try client(bench, user: 4002)
    _ = try holder.connection.attach(to: "right")
    let right = try holder.next(meanwhile: bench.turn, \.geometry).attachment
    #expect(try bench.attach(holder, "app:dashboard") == nil)
    try #require(try bench.set(holder, hide) == nil)
    #expect(try isHidden())
    _ = try holder.connection.detach(right)
    _ = try holder.next(meanwhile: bench.turn, \.completion)
    #expect(try !isHidden())
    // Taken over: what the control socket had set before is in force again.
    try #require(try bench.set(control, Change("right/button", .alpha(0.5))) == nil)
    try #require(try bench.set(holder, hide, Change("right/button", .configured)) == nil)
    try #require(try bench.set(holder, hide) == nil)
    #expect(try view(bench, "right/button").alpha == 1)
    let other = try client(bench, user: 0)
    #expect(try bench.attach(other, "app:dashboard", .takeOver) == nil)
    try bench.turn()
    #expect(try !isHidden())
    #expect(try view(bench, "right/button").alpha == 0.5)
    // Disconnected.
    var last: DaemonClient? = try client(bench, user: 4003, attachedTo: "right/button")
    try #require(try bench.set(try #require(last), hide) == nil)
    #expect(try isHidden())
    last = nil
    // A client whose set took long pauses, and is read again later.
    for _ in 0..<3000 {
      guard try isHidden() else { break }
      try bench.turn()
    }
    #expect(try !isHidden())
    // Gone with the layout, and with the right.
    let fourth = try client(bench, user: 4003, attachedTo: "shield")
    try #require(try bench.set(fourth, Change("shield", .hidden(false))) == nil)
    try reload(bench, Self.shield, "[[access]]\npath = \"shield\"\nusers = [\"4001\"]\n")
    #expect(try view(bench, "shield").isHidden)
    #expect(try fourth.next(meanwhile: bench.turn, \.detachment).reason == .notAllowed)
  }

  @Test(
    "what a rule's right has set goes with its client, and with the rule (L6, F6, S32)"
  )
  func byRule() throws {
    let rule = "[[access]]\npath = \"shield\"\nusers = [\"4001\"]\n"
    let bench = try bench(Self.shield, rule)
    let show = Change("shield", .hidden(false))
    func isHidden() throws -> Bool { try view(bench, "shield").isHidden }
    var named: DaemonClient? = try client(bench, user: 4001)
    try #require(try bench.set(try #require(named), show) == nil)
    let stranger = try client(bench, user: 4002)
    #expect(try bench.attach(stranger, "shield")?.code == .notAllowed)
    #expect(try bench.set(stranger, Change("shield", .hidden(true)))?.code == .notAllowed)
    try reload(bench, Self.shield, rule, Self.rules)
    #expect(try !isHidden())
    named = nil
    for _ in 0..<3000 {
      guard try !isHidden() else { break }
      try bench.turn()
    }
    #expect(try isHidden())
    let next = try client(bench, user: 4001)
    try #require(try bench.set(next, show) == nil)
    try reload(bench, Self.shield)
    #expect(try isHidden())
    // What the control socket locks, no program unlocks for good.
    let control = try bench.client(.control)
    try reload(bench, Self.shield, rule)
    try #require(try bench.set(control, show) == nil)
    var third: DaemonClient? = try client(bench, user: 4001)
    try #require(try bench.set(try #require(third), Change("shield", .configured)) == nil)
    #expect(try isHidden())
    third = nil
    for _ in 0..<3000 {
      guard try isHidden() else { break }
      try bench.turn()
    }
    #expect(try !isHidden())
    withExtendedLifetime(next) {}
  }

  private static let buttonRule = "[[access]]\npath = \"right/button\"\nusers = [\"4002\"]\n"

  @Test("a rule's right to one view is kept within that view's area (L6, S27)")
  func ruledArea() throws {
    let bench = try bench(Self.buttonRule)
    let vendor = try client(bench, user: 4002)
    let configured = try view(bench, "right/button").frame
    let large = AffineTransform(a: 9, b: 0, c: 0, d: 9, tx: 0, ty: 0)
    for property in [
      ViewChange.Property.frame(Rect(x: 0, y: 0, width: 400, height: 480)),
      .transform(large), .outset(Outset(1)), .hit(.itself), .inside(.always),
      .inside(.children([])),
    ] {
      let refused = try bench.set(vendor, Change("right/button", property))
      #expect(refused?.code == .notAllowed, "\(property)")
    }
    let refused = try bench.set(
      vendor, Change("right/button", .frame(Rect(x: 0, y: 0, width: 400, height: 480))))
    let beginning =
      "set: change 1, frame of \"right/button\": \"right/button\" would be at [0, 0, 400, 480] "
      + "in \"right\", outside of "
    #expect(refused?.text.hasPrefix(beginning) == true, "\(refused?.text ?? "")")
    #expect(refused?.text.contains("an [[access]] rule for \"right\" that names") == true)
    // The same through an attachment to it.
    _ = try vendor.connection.attach(to: "right/button")
    let attachment = try vendor.next(meanwhile: bench.turn, \.geometry).attachment
    let steps: [ViewStep] = [
      .change("", [.frame(Rect(x: 0, y: 0, width: 400, height: 480))])
    ]
    _ = try vendor.connection.changeViews(steps, in: attachment)
    #expect(try vendor.next(meanwhile: bench.turn, \.failure).code == .notAllowed)
    // Within it, it may.
    var half = configured
    half.width /= 2
    #expect(try bench.set(vendor, Change("right/button", .frame(half))) == nil)
    #expect(try view(bench, "right/button").frame == half)
    // Whom a rule names for the window may all.
    try reload(bench, Self.buttonRule, Self.rules.replacing("left", with: "right"))
    let wide = try bench.set(
      vendor, Change("right/button", .frame(Rect(x: 0, y: 0, width: 400, height: 480))))
    #expect(wide?.code == .notAllowed)
    try reload(
      bench, Self.buttonRule,
      Self.rules.replacing("left", with: "right").replacing("4001", with: "4002"))
    #expect(
      try bench.set(
        vendor, Change("right/button", .frame(Rect(x: 0, y: 0, width: 400, height: 480)))) == nil)
    // A reload that narrows the right takes back what was set by the wider one, and no more.
    try reload(bench, Self.buttonRule)
    #expect(try view(bench, "right/button").frame == half)
  }

  @Test("what is added in a view that a rule is about stays within that view's area (L6, S27)")
  func ruledAdditions() throws {
    let panel = """
      [[view]]
      path = "right/panel"
      frame = [0, 0, 100, 100]
      inside = "children"
      [[access]]
      path = "right/panel"
      users = ["4002"]

      """
    let bench = try bench(panel)
    let vendor = try client(bench, user: 4002)
    _ = try vendor.connection.attach(to: "right/panel")
    let attachment = try vendor.next(meanwhile: bench.turn, \.geometry).attachment
    func add(_ name: String, _ frame: Rect) throws {
      _ = try vendor.connection.changeViews([.add(Subview(name, frame: frame))], in: attachment)
    }
    try add("wide", Rect(x: 50, y: 0, width: 100, height: 100))
    let refused = try vendor.next(meanwhile: bench.turn, \.failure)
    #expect(refused.code == .notAllowed, "\(refused.text)")
    try add("within", Rect(x: 50, y: 0, width: 50, height: 100))
    _ = try vendor.next(meanwhile: bench.turn, \.completion)
    let layout = bench.exchange.pipeline.router.layout
    #expect(layout.view(at: "right/panel/within") != nil)
    #expect(layout.view(at: "right/panel/wide") == nil)
  }

  @Test("what a rule's right has set stays while a reload makes the rule wider (L6)")
  func widened() throws {
    let bench = try bench(Self.buttonRule)
    let vendor = try client(bench, user: 4002)
    #expect(try bench.set(vendor, Change("right/button", .hidden(true))) == nil)
    try reload(
      bench, Self.buttonRule,
      Self.rules.replacing("left", with: "right").replacing("4001", with: "4002"))
    #expect(try view(bench, "right/button").isHidden)
  }

  @Test("a window's holder takes back what a rule's right has set in it (L6, S27)")
  func revocation() throws {
    let bench = try bench(Self.buttonRule)
    let control = try bench.client(.control)
    let vendor = try client(bench, user: 4002)
    let holder = try client(bench, user: 4001, attachedTo: "right")
    let button = "right/button"
    try #require(try bench.set(control, Change(button, .alpha(0.5))) == nil)
    try #require(
      try bench.set(vendor, Change(button, .hidden(true)), Change(button, .alpha(0.25))) == nil)
    // No more than that, and nobody who does not hold the window.
    #expect(try bench.set(holder, Change(button, .hidden(false)))?.code == .notAllowed)
    let stranger = try client(bench, user: 4003, attachedTo: "left")
    #expect(try bench.set(stranger, Change(button, .configured))?.code == .notAllowed)
    #expect(try view(bench, button).isHidden)
    #expect(try bench.set(holder, Change(button, .configured)) == nil)
    #expect(try !view(bench, button).isHidden)
    #expect(try view(bench, button).alpha == 0.5)
    #expect(try bench.set(vendor, Change(button, .hidden(true))) == nil)
    #expect(try view(bench, button).isHidden)
  }

  // MARK: - Secure views

  @Test(
    "a secure view, what it is in and what is in it are for who holds the window (F6, S23)",
    arguments: [
      "right/panel", "right/panel@pad", "right/panel/pin", "right/panel/pin/key",
    ])
  func secure(path: String) throws {
    let bench = try bench(Self.pin)
    let owner = try client(bench, user: 4001)
    let thief = try client(bench, user: 4002)
    let refused = try #require(try bench.attach(owner, path))
    #expect(refused.code == .notAllowed)
    #expect(refused.text.contains("secure: it is for the program that holds \"right\", for root"))
    #expect(try bench.attach(owner, "right") == nil)
    #expect(try bench.attach(thief, path)?.code == .notAllowed)
    #expect(try bench.attach(thief, path, .takeOver)?.code == .notAllowed)
    #expect(try bench.attach(owner, path) == nil)
    let root = try client(bench, user: 0)
    #expect(try bench.attach(root, path, .takeOver) == nil)
    #expect(try bench.attach(thief, "right/button") == nil)
    let named = try self.bench(
      Self.pin, "[[access]]\npath = \"right/panel\"\nusers = [\"4002\"]\n")
    #expect(try named.attach(try client(named, user: 4002), path) == nil)
  }

  @Test("touches on a secure view reach nobody but who may attach to it (F8, S24)")
  func secureTouches() throws {
    let bench = try bench(Self.pin)
    let spy = try client(bench, user: 4002, attachedTo: "app:dashboard")
    for (slot, y) in [(Int32(0), 250.0), (1, 20.0)] { bench.down(slot, 450, y) }
    bench.frame()
    // The first is on the pin: nobody holds its window, and the application is not asked.
    #expect(try bench.touches(of: spy).map(\.targetPath) == ["right"])
    let owner = try client(bench, user: 4001, attachedTo: "right")
    bench.down(2, 460, 250)
    bench.frame()
    #expect(try bench.touches(of: owner).map(\.phase) == [.began])
    #expect(try bench.touches(of: spy) == [])
  }

  @Test("a touch on a view that is made secure ends for whom it may not reach (F8, S24)")
  func securedWhileTouched() throws {
    let bench = try bench(Self.pin)
    let spy = try client(bench, user: 4002, attachedTo: "app:dashboard")
    let control = try bench.client(.control)
    bench.down(0, 450, 20)
    bench.frame()
    #expect(try bench.touches(of: spy).map(\.phase) == [.began])
    #expect(try bench.set(control, Change("right", .secure(true))) == nil)
    let ended = try bench.touches(of: spy)
    #expect(ended.map(\.phase) == [.cancelled])
    bench.move(0, 451, 20)
    bench.frame()
    #expect(try bench.touches(of: spy) == [])
  }

  @Test("an application gives no right over a window that another client holds (F7, S26)")
  func applicationOfHeldWindow() throws {
    let bench = try bench()
    let application = try client(bench, user: 4002, attachedTo: "app:dashboard")
    #expect(try bench.set(application, Change("right", .hidden(true))) == nil)
    func isHidden() throws -> Bool {
      let layout = bench.exchange.pipeline.router.layout
      return layout[try #require(layout.view(at: "right"))].isHidden
    }
    #expect(try isHidden())
    let owner = try client(bench, user: 4001, attachedTo: "right")
    #expect(try !isHidden(), "what was set before is taken back")
    #expect(try bench.set(application, Change("right", .hidden(true)))?.code == .notAllowed)
    #expect(try bench.set(owner, Change("right", .alpha(0.5))) == nil)
  }

  @Test(
    "what an application has set goes once its window is held, whatever else it holds (F7)")
  func applicationBesideView() throws {
    let bench = try bench()
    let application = try client(bench, user: 4002, attachedTo: "app:dashboard")
    #expect(try bench.set(application, Change("right/button", .hidden(true))) == nil)
    #expect(try bench.attach(application, "right/button") == nil)
    _ = try client(bench, user: 4001, attachedTo: "right")
    let layout = bench.exchange.pipeline.router.layout
    #expect(!layout[try #require(layout.view(at: "right/button"))].isHidden)
    // By the view that it holds it has a right of its own.
    #expect(try bench.set(application, Change("right/button", .hidden(true))) == nil)
  }

  @Test("who lets go of the window, or loses it, lets go of the secure views in it (F6, S23)")
  func secureEnds() throws {
    let bench = try bench(Self.pin)
    let owner = try client(bench, user: 4001)
    _ = try owner.connection.attach(to: "right")
    let window = try owner.next(meanwhile: bench.turn, \.geometry).attachment
    #expect(try bench.attach(owner, "right/panel/pin") == nil)
    #expect(try bench.attach(owner, "right/button") == nil)
    bench.down(0, 450, 250)
    bench.frame()
    #expect(try bench.touches(of: owner).map(\.phase) == [.began])
    _ = try owner.connection.detach(window)
    #expect(try owner.next(meanwhile: bench.turn, \.detachment).reason == .notAllowed)
    #expect(bench.exchange.pipeline.router.attachments.all.count == 1)
    let again = try client(bench, user: 4001, attachedTo: "right", "right/panel")
    let rival = try client(bench, user: 4001)
    #expect(try bench.attach(rival, "right", .takeOver) == nil)
    _ = try again.next(meanwhile: bench.turn, \.detachment)
    #expect(try again.next(meanwhile: bench.turn, \.detachment).reason == .notAllowed)
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  private static let ads = """
    [[view]]
    path = "right/ads"
    frame = [300, 0, 50, 50]
    controller = "banner"

    """
  private static let over = Change(
    "right/ads", .frame(Rect(x: 0, y: 0, width: 400, height: 480)))

  @Test("a secure view is not covered by steps that come and end, nor by a reload (F7, S25)")
  func coveredBySteps() throws {
    let bench = try bench(Self.pin, Self.ads)
    let owner = try client(bench, user: 4001, attachedTo: "right")
    let vendor = try client(bench, user: 4002)
    _ = try vendor.connection.attach(to: "right/ads@banner")
    let controller = try vendor.next(meanwhile: bench.turn, \.geometry).attachment
    #expect(try bench.set(vendor, Change("right/ads", .order(0))) == nil)
    #expect(try bench.attach(vendor, "right/ads") == nil)
    #expect(try bench.set(vendor, Self.over) == nil)
    _ = try vendor.connection.detach(controller)
    try bench.turn()
    #expect(try view(bench, "right/ads").frame == Rect(x: 300, y: 0, width: 50, height: 50))
    // As the control socket puts it behind, it may be large; then the configuration changes.
    let control = try bench.client(.control)
    #expect(try bench.set(control, Change("right/ads", .order(0))) == nil)
    _ = vendor.pending()
    #expect(try bench.set(vendor, Self.over) == nil)
    #expect(try view(bench, "right/ads").frame.height == 480)
    #expect(try bench.set(control, Change("right/ads", .order(9))) == nil)
    #expect(try view(bench, "right/ads").frame.height == 50)
    // A view may be large where nothing is secure, until a reload says otherwise.
    try reload(bench, Self.ads)
    _ = vendor.pending()
    #expect(try bench.set(vendor, Self.over) == nil)
    #expect(try view(bench, "right/ads").frame.height == 480)
    try reload(bench, Self.pin, Self.ads)
    #expect(try view(bench, "right/ads").frame.height == 50)
    bench.down(0, 450, 250)
    bench.frame()
    #expect(try bench.touches(of: owner).map(\.phase) == [.began])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("who lets go of a window has covered no secure view of it with what it keeps (F7, S25)")
  func coveredByOwner() throws {
    let bench = try bench(Self.pin, Self.ads)
    let owner = try client(bench, user: 4001)
    _ = try owner.connection.attach(to: "right")
    let window = try owner.next(meanwhile: bench.turn, \.geometry).attachment
    #expect(try bench.attach(owner, "right/ads") == nil)
    #expect(try bench.set(owner, Self.over) == nil)
    #expect(try view(bench, "right/ads").frame.height == 480)
    _ = try owner.connection.detach(window)
    try bench.turn()
    #expect(try view(bench, "right/ads").frame.height == 50)
  }

  @Test("one user's programs use their share of the numbers for attachments, and no other's (S15)")
  func numbers() throws {
    let bench = try ExchangeBench()
    try #require(chmod(bench.path(.client), 0o666) == 0)
    bench.exchange.attachments.numbers = NumberShares(of: .attachments, share: 3)
    let hostile = try client(bench, user: 4002)
    for _ in 0..<2 {
      _ = try hostile.connection.attach(to: "right")
      let attachment = try hostile.next(meanwhile: bench.turn, \.geometry).attachment
      _ = try hostile.connection.detach(attachment)
      _ = try hostile.next(meanwhile: bench.turn, \.completion)
    }
    // What is refused uses none; who waits uses one.
    let holder = try client(bench, user: 4001, attachedTo: "right")
    #expect(try bench.attach(hostile, "right")?.code == .held)
    _ = try hostile.connection.attach(to: "right", options: .wait)
    try bench.turn { bench.exchange.queue.places.count == 1 }
    for program in [hostile, try client(bench, user: 4002)] {
      let refusal = try bench.attach(program, "left")
      #expect(refusal?.code == .limit)
      #expect(refusal?.text.contains("have attached 3 times, which is their share") == true)
    }
    #expect(try bench.attach(holder, "left") == nil)
    let count = bench.exchange.pipeline.router.attachments.all.count
    for _ in 0..<5 {
      #expect(try bench.attach(try bench.client(.control), "right/button") == nil)
      try bench.turn { bench.exchange.pipeline.router.attachments.all.count == count }
    }
  }

  @Test("those who set something by a rule have numbers of their own, also behind the last (F7)")
  func setterNumbers() {
    func client(_ slot: UInt32) -> ClientID { ClientID(slot: slot, generation: 1) }
    var setters = Setters()
    setters.resume([client(1): 1, client(2): Setters.mostNumber - 1, client(3): 3], where: [])
    let numbers = (4...6).map { setters.number(of: client($0)) }
    #expect(numbers == [Setters.mostNumber, 2, 4])
    #expect(setters.number(of: client(4)) == Setters.mostNumber)
  }

  @Test("a window that is itself secure is for root and whom a rule names (F6, S23)")
  func secureWindow() throws {
    let text = twoWindows.replacing(
      "name = \"right\"", with: "name = \"right\"\nsecure = true")
    let bench = try ExchangeBench(text)
    try #require(chmod(bench.path(.client), 0o666) == 0)
    let stranger = try client(bench, user: 4002)
    for path in ["right", "right/button", "app:dashboard"] {
      #expect(try bench.attach(stranger, path)?.code == .notAllowed, "\(path)")
    }
    let root = try client(bench, user: 0)
    #expect(try bench.attach(root, "right") == nil)
    #expect(try bench.attach(root, "app:dashboard") == nil)
  }
}
