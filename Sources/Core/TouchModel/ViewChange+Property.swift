extension ViewChange {
  /// Which property, and its value. Rule L2.
  ///
  /// A property is declared in this file: its case, its number, its value and its row of ``Kind``'s
  /// declarations. What reads, checks, writes, shows and describes properties goes by these.
  public enum Property: Equatable, Sendable {
    /// Whether hit-testing passes over the view and what is in it. Rule H2.
    case hidden(Bool)
    /// From 0 to 1; at 0.01 or below it is as good as hidden. Rule H2.
    case alpha(Double)
    /// Whether the view and what is in it take touches: UIKit's isUserInteractionEnabled. Rule H2.
    case interaction(Bool)
    /// Where it is, in the superview's coordinates; of a window, in points of the screen.
    case frame(Rect)
    /// The point of its own coordinates at its top left corner: where a list is scrolled to.
    case boundsOrigin(Point)
    /// Turns, scales or moves it about the frame's centre.
    case transform(AffineTransform)
    /// Its place among its siblings, a window's among those of its level: 0 at the back, and at the
    /// front where there are fewer.
    case order(Int)
    /// How far the touchable region reaches beyond the bounds. Rule H3.
    case outset(Outset)
    /// What refines the touchable region. Rule H4.
    case shape(Shape)
    /// What replaces pointInside. Rule H5.
    case inside(InsideRule)
    /// What replaces hitTest. Rule H6.
    case hit(HitRule)
    /// Whether observers get no location of its touches. Rule F7.
    case secure(Bool)
    /// Whether its touch keeps those of other views of the window out, and theirs its own. Rule
    /// T13.
    case exclusiveTouch(Bool)
    /// Whether it takes several touches at a time. Rule T13.
    case multipleTouch(Bool)
    /// A window's: those of a higher one are in front. Rule L1.
    case level(Int)
    /// A recognizer's: whether it takes part, UIKit's isEnabled. Rule G2.
    case enabled(Bool)
    /// Its name for people, which touches do not depend on. Rule L2.
    case label(String)
    /// The name of what a finger on the view gives, such as a click; empty where that is what the
    /// superview says. Rule D10.
    case feedback(String)
    /// All of these as the configuration says.
    case configured

    /// Which property, without its value; the raw values are the wire's `enum touchroute_property`.
    public enum Kind: UInt32, Sendable, CaseIterable {
      /// See the property of the same name, as all of these.
      case hidden = 1, alpha = 2, interaction = 3, frame = 4, boundsOrigin = 5, transform = 6
      /// See the property of the same name, as all of these.
      case order = 7, configured = 8, outset = 9, shape = 10, inside = 11, hit = 12, secure = 13
      /// See the property of the same name, as all of these.
      case exclusiveTouch = 14, multipleTouch = 15, level = 16, enabled = 17
      /// See the property of the same name, as all of these.
      case label = 18, feedback = 19
    }

    /// Which property it is, and its value.
    var content: (kind: Kind, value: PropertyValue) {
      switch self {
      case .hidden(let value): (.hidden, .flag(value))
      case .alpha(let value): (.alpha, .number(value))
      case .interaction(let value): (.interaction, .flag(value))
      case .frame(let value): (.frame, .rect(value))
      case .boundsOrigin(let value): (.boundsOrigin, .point(value))
      case .transform(let value): (.transform, .transform(value))
      case .order(let value): (.order, .whole(value))
      case .outset(let value): (.outset, .outset(value))
      case .shape(let value): (.shape, .shape(value))
      case .inside(let value): (.inside, .inside(value))
      case .hit(let value): (.hit, .hit(value))
      case .secure(let value): (.secure, .flag(value))
      case .exclusiveTouch(let value): (.exclusiveTouch, .flag(value))
      case .multipleTouch(let value): (.multipleTouch, .flag(value))
      case .level(let value): (.level, .whole(value))
      case .enabled(let value): (.enabled, .flag(value))
      case .label(let value): (.label, .text(value))
      case .feedback(let value): (.feedback, .text(value))
      case .configured: (.configured, .nothing)
      }
    }

    /// The levels that a window may have.
    public static let levels = -1_000_000...1_000_000
  }
}

extension ViewChange.Property.Kind {
  /// What is declared of it.
  package var declaration: PropertyDeclaration { Self.byNumber[Int(rawValue) - 1] }

  /// What a change of it may do: asked of each setting of a layout, so apart from the texts.
  package var effects: PropertyDeclaration.Effects { Self.effectsByNumber[Int(rawValue) - 1] }

  /// All properties, in the order in which `tree` tells them.
  package static let declared: [Self] = declarations.map(\.kind)

  /// Those whose value is a text.
  package static let texts = declared.filter {
    if case .text = $0.declaration.form { true } else { false }
  }

  private static let byNumber = declarations.sorted { $0.kind.rawValue < $1.kind.rawValue }
  private static let effectsByNumber = byNumber.map(\.effects)

  private static let declarations: [PropertyDeclaration] = [
    PropertyDeclaration(
      .frame, "frame", .rect(ViewChange.Property.frame),
      effects: [.breaksLayout, .extendsReach, .takesTouches],
      set: "X,Y,WIDTH,HEIGHT",
      wire: "x, y, width, height in the superview's coordinates",
      key:
        "`[X, Y, WIDTH, HEIGHT]` in the superview's coordinates. Each is a number, or a share of "
        + "the superview's width or height: `\"50%\"`, `\"100%-40\"`, `\"12.5% + 8\"`",
      standard: "must be given",
      sample: "frame = [0, 0, \"100%\", 60]",
      remark: "in the superview's coordinates"),
    PropertyDeclaration(
      .hidden, "hidden", .flag("hidden", ViewChange.Property.hidden),
      effects: .takesTouches,
      set: "true or false",
      wire: "0 or 1",
      key: "`true`: neither it nor the views in it get touches", standard: "`false`",
      sample: "hidden = false",
      remark: "true: neither it nor the views in it get touches"),
    PropertyDeclaration(
      .interaction, "interaction",
      .flag("no interaction", ViewChange.Property.interaction),
      effects: .takesTouches,
      set: "true or false",
      wire: "0 or 1",
      key: "`false`: it counts as hidden (UIKit's isUserInteractionEnabled)", standard: "`true`",
      sample: "interaction = true",
      remark: "false: it counts as hidden"),
    PropertyDeclaration(
      .alpha, "alpha", .number(0...1, ViewChange.Property.alpha),
      effects: .takesTouches,
      set: "0 to 1",
      wire: "0 to 1",
      key: "0 to 1; at 0.01 or less it counts as hidden", standard: "`1`",
      sample: "alpha = 1.0",
      remark: "at 0.01 or less it counts as hidden"),
    PropertyDeclaration(
      .boundsOrigin, "bounds_origin", .point("origin", ViewChange.Property.boundsOrigin),
      effects: [.extendsReach, .takesTouches],
      set: "X,Y",
      wire: "x, y",
      key: "`[X, Y]`: where its own coordinates begin, as in a scrolled view", standard: "`[0, 0]`",
      sample: "bounds_origin = [0, 0]",
      remark: "where its own coordinates begin, as in a scrolled view"),
    PropertyDeclaration(
      .transform, "transform", .transform(ViewChange.Property.transform),
      effects: [.breaksLayout, .extendsReach, .takesTouches],
      set: "rotate:DEGREES,scale:FACTOR,translate:X:Y, or parts of it; scale:X:Y; a matrix of six "
        + "numbers; none",
      wire: "a, b, c, d, tx, ty, about the frame's centre (rule L2)",
      key: "about its centre: `{ rotate, scale, translate }`, each optional, `rotate` from -36000 "
        + "to 36000 degrees, applied in the order scale, rotate, translate; or `{ matrix = [a, b, "
        + "c, d, tx, ty] }`, a CGAffineTransform",
      standard: "none",
      sample: "transform = { rotate = 0, scale = 1, translate = [0, 0] }",
      remark: ""),
    PropertyDeclaration(
      .outset, "outset", .outset(ViewChange.Property.outset),
      effects: [.extendsReach, .takesTouches],
      set: "a number of points, or TOP,LEFT,BOTTOM,RIGHT",
      wire: "top, left, bottom, right (rule H3)",
      key: "how far its touchable region reaches beyond its bounds: a number, or `[TOP, LEFT, "
        + "BOTTOM, RIGHT]`; negative shrinks",
      standard: "`0`",
      sample: "outset = 0",
      remark: "how far it takes touches beyond its bounds; or [top, left, bottom, right]"),
    PropertyDeclaration(
      .shape, "shape", .shape(ViewChange.Property.shape),
      effects: .takesTouches,
      set: "rect, ellipse, radius:POINTS, polygon:X:Y,X:Y,X:Y",
      wire: "a [shape](#shapes), and the radius of a rounded one",
      key: "its touchable region: `\"rect\"`, `\"ellipse\"`, `{ radius = R }`, `{ polygon = [[X, "
        + "Y], …] }`",
      standard: "`\"rect\"`",
      sample: "shape = \"rect\"",
      remark: "or \"ellipse\", { radius = 12 }, { polygon = [[0, 0], [44, 0], [22, 44]] }"),
    PropertyDeclaration(
      .inside, "inside", .inside(ViewChange.Property.inside),
      effects: [.extendsReach, .takesTouches],
      set: "bounds, always, never, children, children:NAME,NAME",
      wire: "an [inside](#insides)",
      key: "which points lie in the view (rule H5; UIKit's pointInside): `\"bounds\"`, "
        + "`\"always\"`, `\"never\"`, `\"children\"`, `{ "
        + "children = [\"NAME\", …] }` (its subviews)",
      standard: "`\"bounds\"`",
      sample: "inside = \"bounds\"",
      remark: "or \"always\", \"never\", \"children\", { children = [\"badge\", \"help\"] }"),
    PropertyDeclaration(
      .hit, "hit", .hit(ViewChange.Property.hit),
      effects: [.extendsReach, .takesTouches],
      set: "default, self, none, pass_through, redirect:PATH, first:PATH",
      wire: "a [hit](#hits)",
      key: "which view a touch in it goes to (rule H6; UIKit's hitTest): `\"default\"`, "
        + "`\"self\"`, `\"none\"`, `\"pass_through\"`, `{ "
        + "redirect = \"PATH\" }`, `{ first = \"PATH\" }` (a descendant's path, from this view on)",
      standard: "`\"default\"`",
      sample: "hit = \"default\"",
      remark:
        #"or "self", "none", "pass_through", { redirect = "strip" }, { first = "row/button" }"#
    ),
    PropertyDeclaration(
      .multipleTouch, "multiple_touch",
      .flag("single touch", ViewChange.Property.multipleTouch),
      set: "true or false",
      wire: "0 or 1 (rule T13)",
      key: "`false`: one touch at a time, further touches are discarded (UIKit's "
        + "isMultipleTouchEnabled, whose default is `false`)",
      standard: "`true`",
      sample: "multiple_touch = true",
      remark: "false: one touch at a time"),
    PropertyDeclaration(
      .exclusiveTouch, "exclusive_touch",
      .flag("exclusive touch", ViewChange.Property.exclusiveTouch),
      effects: .takesTouches,
      set: "true or false",
      wire: "0 or 1 (rule T13)",
      key: "`true`: while it has a touch, no other view of the window gets one; it gets none while "
        + "another view has one",
      standard: "`false`",
      sample: "exclusive_touch = false",
      remark: "true: while it has a touch, no other view of the window gets one"),
    PropertyDeclaration(
      .secure, "secure", .flag("secure", ViewChange.Property.secure),
      set: "true or false",
      wire: "0 or 1 (rule F7)",
      key: "`true`: only programs that may attach to it get its touches (rule F8), and observers "
        + "get no location of them",
      standard: "`false`",
      sample: "secure = false",
      remark: "true: only programs that may attach to it get its touches"),
    PropertyDeclaration(
      .label, "label", .text(TextRule(most: 80, isName: false), ViewChange.Property.label),
      set: "a text of at most 80 characters; nothing for none",
      wire: "none; the words are a text of at most 80 characters (rule L2)",
      key: "its name for people, which `tree` and its pictures show: a text of at most 80 "
        + "characters, none of them a control or format character but U+200C and U+200D",
      standard: "`\"\"`",
      sample: "label = \"\"",
      remark: "its name for people, which touchroute tree shows"),
    PropertyDeclaration(
      .feedback, "feedback",
      .text(TextRule(most: 40, isName: true), ViewChange.Property.feedback),
      set: "a name such as click; none for no feedback; nothing for its superview's",
      wire: "none; the words are a name of at most 40 characters (rule D10)",
      key: "the name of the feedback that a finger on it gives, such as `\"click\"` (rule D10): "
        + "letters, digits, `_`, `.` and `-`, at most 40; `\"none\"` for none",
      standard: "that of its superview",
      sample: "feedback = \"click\"",
      remark: "what a finger on it gives, and on the views in it; \"none\" for nothing"),
    PropertyDeclaration(
      .order, "order", .whole(0...Int(Int32.max), ViewChange.Property.order),
      effects: [.takesTouches, .reorders],
      set: "place among its siblings: 0 is the back, a number beyond the last is the front",
      wire: "index among its siblings, 0 at the back; at the front if there are fewer. A window's "
        + "siblings are the windows of its level"),
    PropertyDeclaration(
      .level, "level", .whole(ViewChange.Property.levels, ViewChange.Property.level),
      owner: .window, effects: [.takesTouches, .reorders],
      set: "of a window, a whole number; higher is in front",
      wire: "a window's: a whole number from -1000000 to 1000000"),
    PropertyDeclaration(
      .enabled, "enabled", .flag("disabled", ViewChange.Property.enabled),
      owner: .recognizer,
      set: "of a gesture, PATH#NAME: true or false",
      wire: "of a recognizer, by its path: 0 or 1 (rule G2). A recognizer has only this and "
        + "`configured`"),
    PropertyDeclaration(
      .configured, "configured", .nothing(.configured),
      owner: .all, effects: [.breaksLayout, .extendsReach, .takesTouches, .reorders],
      set: "",
      wire: "none: all properties as the configuration says"),
  ]
}
