import Glibc

/// What the start needed and nothing after it: reading the configuration, finding the devices,
/// linking some twenty libraries.
enum StartMemory {
  /// Gives it back to the kernel: the mappings of code, which come back from the page cache where
  /// it is called again. Two thirds of the code that a start leaves mapped was never called at
  /// all, since the kernel maps 64 KiB around what is.
  ///
  /// Only mappings that can be executed and not written are touched: there is nothing but a file's
  /// contents in them. The corresponding C function is madvise.
  static func release() {
    guard let maps = fopen("/proc/self/maps", "re") else { return }
    defer { fclose(maps) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0, let text = line {
      guard let range = codeRange(String(cString: text)),
        let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound)
      else { continue }
      madvise(start, range.count, MADV_DONTNEED)
    }
  }

  /// The addresses of a line of /proc/self/maps that maps a file's code; nil for every other line.
  static func codeRange(_ line: String) -> Range<UInt>? {
    let fields = line.split(separator: " ", omittingEmptySubsequences: true)
    guard fields.count > 5, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
    let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    guard ends.count == 2, ends[0] < ends[1] else { return nil }
    return ends[0]..<ends[1]
  }
}
