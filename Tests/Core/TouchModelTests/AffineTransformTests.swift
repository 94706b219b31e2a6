import Testing
import TouchModel

@Suite("AffineTransform")
struct AffineTransformTests {
  @Test("concatenating applies the receiver first, as CGAffineTransformConcat does (L2)")
  func concatenation() {
    let moved = AffineTransform(translationX: 10, y: 0)
    let scaled = AffineTransform(scaleX: 2, y: 3)
    #expect(moved.concatenating(scaled).apply(Point(x: 1, y: 1)) == Point(x: 22, y: 3))
    #expect(scaled.concatenating(moved).apply(Point(x: 1, y: 1)) == Point(x: 12, y: 3))
  }

  @Test("an inverse undoes its transform, and a flat transform has none (L2)")
  func inversion() throws {
    let transform = AffineTransform(a: 1.5, b: 0.5, c: -0.25, d: 2, tx: 7, ty: -3)
    let inverse = try #require(transform.inverted())
    let back = inverse.apply(transform.apply(Point(x: 12.5, y: -40)))
    #expect(abs(back.x - 12.5) < 1e-12 && abs(back.y + 40) < 1e-12)
    #expect(AffineTransform(scaleX: 0, y: 1).inverted() == nil)
    #expect(AffineTransform(scaleX: .infinity, y: 1).inverted() == nil)
  }

  @Test("a rectangle holds its left and top edge and not its right and bottom edge (H3)")
  func halfOpen() {
    let rect = Rect(x: 0, y: 0, width: 100, height: 50)
    #expect(rect.contains(Point(x: 0, y: 0)))
    #expect(rect.contains(Point(x: 99.999, y: 49.999)))
    #expect(!rect.contains(Point(x: 100, y: 10)))
    #expect(!rect.contains(Point(x: 10, y: 50)))
  }
}
