import ArgumentParser
import LayoutDrawing
import TouchModel
import TouchScripts

/// What came of the files of `touchroute test`, as TAP and as JUnit's XML.
struct TestReport {
  /// What came of one file.
  private struct Result {
    let file: String
    /// What was not as expected, a sentence each.
    let failures: [String]
    /// Why it could not be played.
    let error: String?
    let milliseconds: UInt64
  }

  private var results: [Result] = []

  /// Runs a file's test; its lines of TAP.
  mutating func add(_ file: String, _ test: () throws -> [String]) -> [String] {
    let start = MonotonicClock.now
    var failures: [String] = []
    var error: String?
    do { failures = try test() } catch let failure as Failure {
      error = failure.sentence
    } catch let failure as ScriptError {
      error = failure.sentence
    } catch let other {
      error = "\(other)"
    }
    let time = (MonotonicClock.now - start) / 1_000_000
    results.append(Result(file: file, failures: failures, error: error, milliseconds: time))
    let isOk = failures.isEmpty && error == nil
    let name = file.printable().escaping { $0 == "\\" || $0 == "#" ? "\\\($0)" : nil }
    return ["\(isOk ? "ok" : "not ok") \(results.count) - \(name)"]
      + (failures + (error.map { [$0] } ?? [])).map { "# \($0)" }
  }

  /// Nil where all was as expected.
  var status: ExitCode? {
    if results.contains(where: { $0.error != nil }) { return .failure }
    return results.contains { !$0.failures.isEmpty } ? Injector.missed : nil
  }

  /// The whole of it, as servers for continuous integration read it.
  var junit: String {
    let failed = results.count { !$0.failures.isEmpty && $0.error == nil }
    let errors = results.count { $0.error != nil }
    let time = Self.seconds(results.reduce(0) { $0 + $1.milliseconds })
    let counts = "tests=\"\(results.count)\" failures=\"\(failed)\" errors=\"\(errors)\""
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuites>", "<testsuite name=\"touchroute test\" \(counts) time=\"\(time)\">",
    ]
    for result in results { lines += Self.lines(result) }
    return (lines + ["</testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }

  private static func lines(_ result: Result) -> [String] {
    let start =
      "<testcase classname=\"touchroute\" name=\"\(escaped(result.file))\" "
      + "time=\"\(seconds(result.milliseconds))\""
    guard let first = result.error ?? result.failures.first else { return ["\(start)/>"] }
    let kind = result.error == nil ? "failure" : "error"
    let text = escaped(result.failures.joined(separator: "\n"), keepingLines: true)
    return [
      "\(start)>", "<\(kind) message=\"\(escaped(first))\">\(text)</\(kind)>", "</testcase>",
    ]
  }

  private static func seconds(_ milliseconds: UInt64) -> String {
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  private static func escaped(_ text: String, keepingLines: Bool = false) -> String {
    text.printable(keepingLines: keepingLines).xmlEscaped
  }
}
