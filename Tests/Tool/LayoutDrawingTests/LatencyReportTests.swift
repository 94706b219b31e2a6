import LayoutDrawing
import Testing

@Suite("Status, how long frames took")
struct LatencyReportTests {
  @Test("the drawing has a bar for each power of two, and what half and nearly all took less than")
  func drawing() {
    var counts = [UInt64](repeating: 0, count: 24)
    counts[5] = 100
    counts[6] = 880
    counts[8] = 15
    counts[11] = 4
    counts[23] = 1
    let report = LatencyReport(counts)
    #expect(report.frames == 1_000)
    #expect(report.p50_us == 64 && report.p99_us == 256 && report.p999_us == 2_048)
    #expect(report.steps.count == 19)
    let lines = report.lines
    #expect(lines[0] == "from the kernel's time to the send:")
    #expect(lines[1] == "      < 32 us  █████ 100")
    #expect(lines[2] == "      < 64 us  \(String(repeating: "█", count: 40)) 880")
    #expect(lines[3] == "     < 128 us")
    #expect(lines[7] == "    < 2.05 ms  █ 4")
    #expect(lines[19] == "       longer  █ 1")
    #expect(
      lines.last
        == "  50 % in less than 64 us, 99 % in less than 256 us, 99.9 % in less than 2.05 ms")
  }

  @Test("nothing is drawn where no frame was sent, nor a share that took longer than is counted")
  func edges() {
    #expect(LatencyReport([]).lines.isEmpty)
    #expect(LatencyReport([UInt64](repeating: 0, count: 24)).lines.isEmpty)
    var counts = [UInt64](repeating: 0, count: 24)
    counts[23] = 3
    #expect(
      LatencyReport(counts).lines == [
        "from the kernel's time to the send:",
        "  longer  \(String(repeating: "█", count: 40)) 3",
      ])
  }
}
