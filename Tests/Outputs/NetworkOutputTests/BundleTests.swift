import CTuio
import Glibc
import Testing

/// The bundles of TUIO, byte by byte, as values.
@Suite("Bundles of TUIO")
struct BundleTests {
  private final class Surface {
    var state = tuio()
    var bundles: [[Message]] = []
    private let source = strdup("touchroute:home@table")

    init() {
      state.source = UnsafePointer(source)
      state.data = Unmanaged.passUnretained(self).toOpaque()
      state.sink = { data, bytes, size in
        guard let data, let bytes else { return }
        let surface = Unmanaged<Surface>.fromOpaque(data).takeUnretainedValue()
        surface.bundles.append(
          Message.all(in: Array(UnsafeRawBufferPointer(start: bytes, count: size))))
      }
    }

    deinit { free(source) }

    func frame(_ changes: (UInt64, tuio_change, Float, Float)..., at time: UInt64) -> [[Message]] {
      bundles = []
      for (touch, change, x, y) in changes { tuio_add(&state, touch, change, x, y, time) }
      tuio_end_frame(&state, time)
      return bundles
    }
  }

  @Test("a finger begins, moves with its velocity and acceleration, and is gone")
  func finger() {
    let surface = Surface()
    #expect(
      surface.frame((7, TUIO_DOWN, 0.25, 0.5), at: 1_000_000) == [
        [
          .source, .init("alive", 1), .init("set", 1, floats: 0.25, 0.5, 0, 0, 0),
          .init("fseq", 1),
        ]
      ])
    // A quarter to the right in half a second.
    #expect(
      surface.frame((7, TUIO_MOVE, 0.5, 0.5), at: 1_500_000) == [
        [
          .source, .init("alive", 1), .init("set", 1, floats: 0.5, 0.5, 0.5, 0, 1),
          .init("fseq", 2),
        ]
      ])
    #expect(
      surface.frame((7, TUIO_UP, 0.5, 0.5), at: 1_600_000) == [
        [.source, .init("alive"), .init("fseq", 3)]
      ])
    #expect(surface.frame((9, TUIO_MOVE, 0.5, 0.5), at: 1_700_000) == [])
  }

  @Test("each bundle has every finger, and those that rest have no velocity")
  func fingers() {
    let surface = Surface()
    _ = surface.frame((7, TUIO_DOWN, 0, 0), (8, TUIO_DOWN, 1, 1), at: 1_000_000)
    _ = surface.frame((8, TUIO_MOVE, 1, 0.5), at: 1_500_000)
    #expect(
      surface.frame((7, TUIO_MOVE, 0.5, 0), at: 2_000_000) == [
        [
          .source, .init("alive", 1, 2), .init("set", 1, floats: 0.5, 0, 0.5, 0, 0.5),
          .init("set", 2, floats: 1, 0.5, 0, 0, 0), .init("fseq", 3),
        ]
      ])
    surface.bundles = []
    tuio_repeat(&surface.state, 3_000_000)
    #expect(surface.bundles.first?.last == .init("fseq", -1))
    #expect(surface.bundles.first?.count == 5)
  }

  @Test("a finger that is cancelled is beyond the surface before it is gone (T7)")
  func cancelled() {
    let surface = Surface()
    _ = surface.frame((7, TUIO_DOWN, 0.25, 0.5), at: 1_000_000)
    #expect(
      surface.frame((7, TUIO_CANCEL, 0.25, 0.5), at: 1_100_000) == [
        [
          .source, .init("alive", 1), .init("set", 1, floats: 0.25, -0.02, 0, 0, 0),
          .init("fseq", 2),
        ],
        [.source, .init("alive"), .init("fseq", 3)],
      ])
    _ = surface.frame((8, TUIO_DOWN, 0.25, 0.5), at: 1_200_000)
    surface.bundles = []
    tuio_clear(&surface.state, 1_300_000)
    #expect(surface.bundles.last == [.source, .init("alive"), .init("fseq", 6)])
  }

  @Test("fingers that are cancelled at once stay as far from each other, beyond one edge (T7)")
  func cancelledTogether() {
    let surface = Surface()
    _ = surface.frame((7, TUIO_DOWN, 0.25, 0.25), (8, TUIO_DOWN, 0.5, 0.25), at: 1_000_000)
    #expect(
      surface.frame((7, TUIO_CANCEL, 0, 0), (8, TUIO_CANCEL, 0, 0), at: 1_100_000).first == [
        .source, .init("alive", 1, 2), .init("set", 1, floats: 0.75, 1.02, 0, 0, 0),
        .init("set", 2, floats: 1, 1.02, 0, 0, 0), .init("fseq", 2),
      ])
    // Farther apart than half of the surface both ways: each to its own corner.
    _ = surface.frame((9, TUIO_DOWN, 0.1, 0.1), (10, TUIO_DOWN, 0.9, 0.9), at: 1_200_000)
    #expect(
      surface.frame((9, TUIO_CANCEL, 0, 0), (10, TUIO_CANCEL, 0, 0), at: 1_300_000).first == [
        .source, .init("alive", 3, 4), .init("set", 3, floats: 1.02, 1.02, 0, 0, 0),
        .init("set", 4, floats: -0.02, -0.02, 0, 0, 0), .init("fseq", 5),
      ])
  }

  @Test("fingers over the limit are left out, and a bundle of all has room")
  func limit() {
    let surface = Surface()
    for touch in 0..<UInt64(TUIO_CURSORS) + 3 {
      tuio_add(&surface.state, touch + 1, TUIO_DOWN, 0, 0, 1)
    }
    tuio_end_frame(&surface.state, 1)
    #expect(surface.bundles.count == 1)
    #expect(surface.bundles.first?.count == Int(TUIO_CURSORS) + 3)
    #expect(surface.state.left_out == 3)
  }
}
