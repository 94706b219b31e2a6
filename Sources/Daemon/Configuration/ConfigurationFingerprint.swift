/// What a configuration's files held, in a few bytes: whether they say the same as before is known
/// without parsing them. The machine's accounts belong to it, by whose names access rules go.
package struct ConfigurationFingerprint: Equatable, Sendable {
  private let sum: Int
  private let byteCount: Int

  /// That of the files that ``Configuration/load(_:vendorDirectory:step:)`` reads; nil where
  /// anything of them can't be read. Good within one process: no two have the same sums.
  ///
  /// - Parameter accounts: The files of the machine's accounts.
  package init?(of path: String, accounts: [String] = ["/etc/passwd", "/etc/group"]) {
    let directory = ConfigurationDirectory(beside: path)
    guard directory.failures.isEmpty else { return nil }
    var hasher = Hasher()
    var byteCount = 0
    for file in [path] + directory.fragments {
      guard let bytes = try? SourceText.read(file) else { return nil }
      Self.add(file, bytes, to: &hasher)
      byteCount += bytes.count
    }
    for file in accounts { Self.add(file, (try? SourceText.read(file)) ?? [], to: &hasher) }
    sum = hasher.finalize()
    self.byteCount = byteCount
  }

  private static func add(_ file: String, _ bytes: [UInt8], to hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(bytes.count)
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
