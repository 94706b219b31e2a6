import Glibc

/// The last configuration that was in force, merged into one text, in a directory of the daemon's
/// own: what it starts with where its files are wrong.
///
/// It is taken only where nobody but the daemon's user and root can have written it, and whole.
package struct KeptConfiguration: Sendable {
  /// Why nothing can be had of it.
  package struct Failure: Error, CustomStringConvertible, Sendable {
    /// A sentence that names the file.
    package let description: String
  }

  /// The file.
  package let path: String
  private let directory: String

  private static let name = "in-force.toml"
  private static let head =
    "# The configuration that was last in force. touchrouted writes it, and "
    + "starts with it where its files are not valid.\n"
  /// What is not there was not written to its end.
  private static let end = "# This is all of it.\n"

  /// That of a directory, which need not hold one yet.
  package init(in directory: String) {
    self.directory = directory
    path = "\(directory)/\(Self.name)"
  }

  /// Keeps a text that ``Configuration/loadWithText(_:step:)`` has given, unless it is what is kept
  /// already. Whoever reads meanwhile reads the old one or the new one.
  ///
  /// The file is not forced onto the disk, since the daemon would wait for it, and touches for the
  /// daemon: what a power failure leaves half is not taken.
  package func keep(_ text: String) throws(Failure) {
    let bytes = Array((Self.head + text + Self.end).utf8)
    if let kept = try? SourceText.read(path), kept == bytes { return }
    let new = path + ".new"
    let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("can't be written", new) }
    defer { close(file) }
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(file, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("can't be written", new) }
      start += count
    }
    guard rename(new, path) == 0 else { throw failure("can't be replaced", path) }
  }

  /// Reads what is kept; nil where nothing is.
  ///
  /// A user or group that is no longer there is nobody, so that a rule that names one allows fewer.
  ///
  /// - Returns: The configuration, and since when it is in force, in seconds since 1970.
  package func load(
    step: @escaping () -> Void = {}
  ) throws(Failure) -> (configuration: Configuration, since: Int)? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw failure("can't be read", path)
    }
    try checkOwner(of: path, status, isDirectory: false)
    var parent = stat()
    guard stat(directory, &parent) == 0 else { throw failure("can't be read", directory) }
    try checkOwner(of: directory, parent, isDirectory: true)
    let bytes: [UInt8]
    do throws(SourceText.Failure) {
      bytes = try SourceText.read(path)
    } catch { throw Failure(description: "\(path): \(error.message)") }
    guard bytes.suffix(Self.end.utf8.count).elementsEqual(Self.end.utf8) else {
      throw Failure(description: "\(path) was not written to its end")
    }
    do throws(ConfigurationError) {
      var reader = ConfigurationReader(accounts: .machineOrNobody, step: step)
      bytes.withUnsafeBytes { reader.add($0, file: path) }
      return (try reader.read(), status.st_mtim.tv_sec)
    } catch { throw Failure(description: error.description) }
  }

  /// Nobody else may have written it, nor put it there.
  private func checkOwner(
    of path: String, _ status: stat, isDirectory: Bool
  ) throws(Failure) {
    let kind = status.st_mode & S_IFMT
    guard kind == (isDirectory ? S_IFDIR : S_IFREG) else {
      throw Failure(description: "\(path) is no ordinary \(isDirectory ? "directory" : "file")")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & 0o022 == 0 else {
      throw Failure(
        description: "\(path) may be written by others than touchrouted's user: it must be that "
          + "user's or root's, and not writable by group and others")
    }
  }

  private func failure(_ what: String, _ path: String) -> Failure {
    Failure(description: "\(path) \(what): \(SourceText.text(errno))")
  }
}

extension Accounts {
  /// Those of the machine; a name that is not there is a number that nobody has.
  fileprivate static var machineOrNobody: Accounts {
    Accounts(
      user: { machine.user($0) ?? .max }, group: { machine.group($0) ?? .max })
  }
}
