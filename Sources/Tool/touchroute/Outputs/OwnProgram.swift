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
    let reason = String(cString: strerror(errno))
    throw Failure(
      "\(name) can't be run (\(reason)): install the package \(package), or put it into "
        + "libexec/touchroute beside the folder of touchroute")
  }

  /// Where such a program may be: beside this one, where that was built, or where it is installed.
  private static func paths(of name: String) -> [String] {
    guard let folder = Configuration.programFolder() else { return [] }
    return ["\(folder)/\(name)", "\(folder)/../libexec/touchroute/\(name)"]
  }
}
