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
      guard let range = codeRange(text),
        let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound)
      else { continue }
      madvise(start, range.count, MADV_DONTNEED)
    }
  }

  /// The addresses of a line of /proc/self/maps that maps a file's code; nil for every other line.
  ///
  /// Read as C reads it: there are two hundred lines, and to take them apart as strings was a third
  /// of all instructions of the start.
  static func codeRange(_ line: UnsafePointer<CChar>) -> Range<UInt>? {
    var rest: UnsafeMutablePointer<CChar>?
    let start = strtoul(line, &rest, 16)
    guard let dash = rest, dash.pointee == CChar(UInt8(ascii: "-")) else { return nil }
    let end = strtoul(dash + 1, &rest, 16)
    guard start < end, let mode = rest, strncmp(mode, " r-xp ", 6) == 0, strstr(mode, " /") != nil
    else { return nil }
    return start..<end
  }
}
