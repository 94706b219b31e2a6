import Glibc

/// The configuration that is installed with the programs: every key of it, in comments.
enum Example {
  /// Where every key is shown: the file where it is installed beside this program, else its page.
  static var words: String {
    guard let folder = Configuration.programFolder() else { return page }
    let path = Configuration.absolutePath(of: "\(folder)/../share/touchroute/touchroute.toml")
    return access(path, R_OK) == 0 ? "\(path) has every key in comments" : page
  }

  private static let page = "touchroute.toml(5) has every key"
}
