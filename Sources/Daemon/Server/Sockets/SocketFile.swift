import CLinux
import Glibc

/// The file of a Unix socket, by its directory and its name there. Who may write to the directory
/// can change what lies at the name, but not have a file changed or removed that lies elsewhere.
struct SocketFile: ~Copyable {
  /// A file, whatever its name.
  struct Identity: Equatable {
    var device: dev_t
    var inode: ino_t
  }

  let path: String
  private let name: String
  /// Owned; the directory, to look names up in alone (O_PATH).
  private let directory: Int32

  /// - Throws: where the directory is missing.
  init(_ path: String) throws(ServerError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    self.path = path
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    directory = clinux_open_path(AT_FDCWD, folder, 1)
    guard directory >= 0 else {
      throw ServerError(
        "the directory \(folder) of the socket \(path): \(errorText(errno)); make it, or choose "
          + "another path with --socket or --control-socket")
    }
  }

  deinit { close(directory) }

  /// What lies at the name, a symbolic link itself and not what it names; nil where nothing does.
  func status() throws(ServerError) -> stat? {
    var status = stat()
    if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    guard errno == ENOENT else {
      throw ServerError("can't look at the socket path", path, code: errno)
    }
    return nil
  }

  /// Removes what lies at the name. 0, or an errno.
  func remove() -> Int32 { unlinkat(directory, name, 0) == 0 ? 0 : errno }

  /// Opens the socket of this process that has just been bound there to those who may: it gets mode
  /// 0660, and the group unless that is nil.
  ///
  /// - Throws: where it can't be done, or another file lies at the name.
  func open(to group: UInt32?) throws(ServerError) -> Identity {
    let entry = clinux_open_path(directory, name, 0)
    guard entry >= 0 else { throw ServerError("can't open the socket", path, code: errno) }
    defer { close(entry) }
    var status = stat()
    guard fstat(entry, &status) == 0 else {
      throw ServerError("can't look at the socket", path, code: errno)
    }
    // The kernel does not say which file a socket was bound to. But nobody else makes a socket of
    // this user's, and one that lies elsewhere can only be linked to.
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid(), status.st_nlink == 1
    else {
      throw ServerError(
        "\(path) is no longer the socket that was made there: another process changes its "
          + "directory; choose a path in a directory that only the daemon's user may write to")
    }
    if let group, clinux_set_group(entry, group) != 0 { throw removing("group", errno) }
    guard clinux_set_mode(entry, 0o660) == 0 else { throw removing("mode", errno) }
    return Identity(device: status.st_dev, inode: status.st_ino)
  }

  private func removing(_ attribute: String, _ code: Int32) -> ServerError {
    _ = remove()
    return ServerError("can't give its \(attribute) to the socket", path, code: code)
  }

  /// Removes the file where it still is that one.
  func remove(_ identity: Identity) {
    guard let status = try? status(), status.st_dev == identity.device,
      status.st_ino == identity.inode
    else { return }
    _ = remove()
  }
}
