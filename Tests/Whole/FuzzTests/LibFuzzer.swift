import Foundation

/// What libFuzzer calls with each input. TOUCHROUTE_FUZZ names the target; a finding ends the
/// process, as a crash does, and libFuzzer saves the input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let name = ProcessInfo.processInfo.environment["TOUCHROUTE_FUZZ"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    fatalError("TOUCHROUTE_FUZZ is \"\(name)\", which is no fuzz target")
  }
  do {
    try target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(target.rawValue): \(error)")
  }
  return 0
}
