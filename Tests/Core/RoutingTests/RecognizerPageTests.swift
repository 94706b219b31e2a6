import Gestures
import Layout
import Routing
import Testing
import TouchModel

/// Recognizers as describe tells them: by their views, page by page.
@Suite("Pages of recognizers")
struct RecognizerPageTests {
  private static let places = [
    "home", "home/toolbar", "home/toolbar/back", "nav", "nav/map", "media", "screen:panel",
  ]

  private func recognizer(_ number: Int, at place: String) -> RecognizerSpec {
    let screen = "screen:"
    var spec = RecognizerSpec(
      place.hasPrefix(screen) ? .screen(String(place.dropFirst(screen.count))) : .view(place),
      "pan\(number)", RecognizerDescription(.pan(.init())))
    spec.to = "home"
    return spec
  }

  private func page(
    _ world: RoutingWorld, _ responder: String? = nil, first: Int = 0, count: Int = 1_000
  ) -> [String] {
    let layout = world.pipeline.router.layout
    let views = responder.flatMap(layout.responder(at:)).map { layout.views(of: $0) }
    return world.pipeline.router.recognizers.page(of: views, first: first, count: count)
      .map(\.spec.path)
  }

  @Test("they come by their views, then screens, each in the order in which it came (G1)")
  func order() throws {
    let given = [
      recognizer(0, at: "screen:panel"), recognizer(1, at: "nav/map"), recognizer(2, at: "home"),
      recognizer(3, at: "nav"), recognizer(4, at: "home"),
    ]
    let world = RoutingWorld(try RoutingWorld.layout(), gestures: given)
    world.pipeline.put(recognizer(5, at: "home/toolbar"), at: world.time)
    world.pipeline.put(recognizer(6, at: "home"), at: world.time)
    world.pipeline.put(recognizer(2, at: "home"), at: world.time)
    let home = ["home#pan2", "home#pan4", "home#pan6", "home/toolbar#pan5"]
    let nav = ["nav#pan3", "nav/map#pan1"]
    let all = page(world)
    #expect(all.filter { $0.hasPrefix("home") } == home)
    #expect(all.filter { $0.hasPrefix("nav") } == nav)
    #expect(all.count == 7 && all.last == "screen:panel#pan0")
    #expect(page(world, "home") == home)
    #expect(page(world, "home/toolbar") == ["home/toolbar#pan5"])
    #expect(page(world, "nav/map") == ["nav/map#pan1"])
  }

  @Test("pages of any size are parts of one order, whatever came and went before (G1)")
  func pages() throws {
    let world = RoutingWorld(try RoutingWorld.layout())
    for round in 0..<200 {
      let place = Self.places[(round * 5 + round / 9) % Self.places.count]
      let spec = recognizer(round % 40, at: place)
      if let id = world.pipeline.router.recognizers.id(of: spec.path), round % 3 == 0 {
        world.pipeline.remove(id, at: world.time)
      } else {
        world.pipeline.put(spec, at: world.time)
      }
      if round % 50 == 49 {
        world.pipeline.replaceLayout(try RoutingWorld.layout(), at: world.time)
      }
      let all = page(world)
      #expect(Set(all).count == all.count)
      for (responder, views) in [
        (nil, Self.places), ("nav", ["nav", "nav/map"]),
        ("home/toolbar@bar", ["home/toolbar", "home/toolbar/back"]),
        ("app:dashboard", Self.places.filter { $0.hasPrefix("home") || $0 == "media" }),
      ] {
        let wanted = all.filter { path in views.contains { path.hasPrefix("\($0)#") } }
        let size = 1 + round % 5
        var parts: [String] = []
        while case let part = page(world, responder, first: parts.count, count: size), !part.isEmpty
        {
          #expect(part.count <= size)
          parts += part
        }
        #expect(parts == wanted)
      }
    }
  }
}
