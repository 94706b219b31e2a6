import Configuration
import Glibc

/// Programs that come with touchroute and that nobody runs by hand.
enum OwnProgram {
  /// Runs such a program in place of this one, with those words after its name.
  ///
  /// - Parameter package: Debian's package that brings it.
  static func become(_ name: String, of package: String, _ words: [String]) throws -> Never {
    var pointers = ([name] + words).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    for file in paths(of: name) { execv(file, &pointers) }
    throw failure(name, package, errno)
  }

  /// Starts such a program beside this one, with a descriptor as its descriptor 3.
  ///
  /// - Parameter package: Debian's package that brings it.
  /// - Returns: its process.
  static func start(
    _ name: String, of package: String, _ words: [String], descriptor: CInt
  ) throws(Failure) -> pid_t {
    var pointers = ([name] + words).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, 3)
    var code = ENOENT
    for file in paths(of: name) {
      var pid: pid_t = 0
      code = posix_spawn(&pid, file, &actions, nil, &pointers, environ)
      if code == 0 { return pid }
    }
    throw failure(name, package, code)
  }

  private static func failure(_ name: String, _ package: String, _ code: CInt) -> Failure {
    Failure(
      "\(name) can't be run (\(String(cString: strerror(code)))): install the package "
        + "\(package), or put it into libexec/touchroute beside the folder of touchroute")
  }

  /// Where such a program may be: beside this one, where that was built, or where it is installed.
  private static func paths(of name: String) -> [String] {
    guard let folder = Configuration.programFolder() else { return [] }
    return ["\(folder)/\(name)", "\(folder)/../libexec/touchroute/\(name)"]
  }
}
