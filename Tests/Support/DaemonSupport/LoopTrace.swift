import Foundation
import TestSupport

/// The system calls that the loop's thread of a daemon has made, as strace writes them.
package struct LoopTrace {
  /// A system call, by the name under which docs/security.md lists it.
  private struct Call {
    let name: String
    /// Arguments and result, as strace prints them; descriptors have what they stand for in `<>`.
    let text: String
  }

  /// All calls of the loop's thread, from the start of the process.
  private let calls: [Call]
  /// Those from the first sleep to the stop.
  private let atWork: ArraySlice<Call>

  /// Shell commands before a daemon that have its loop's thread traced into a file.
  package static func prelude(into file: String) -> String {
    "set -- strace -D -q -yy -s 32 -o '\(file)' \"$@\""
  }

  /// Reads the trace of a daemon that has ended.
  package init(_ file: String) throws {
    var text = ""
    try waitUntil("strace has written \(file)") {
      text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return text.contains("+++ exited")
    }
    calls = text.split(separator: "\n").compactMap(Self.call)
    let first = calls.firstIndex { $0.name == "epoll_wait" && !Self.endsAtOnce($0) }
    let last = calls.firstIndex { $0.name == "sendmsg" && $0.text.contains("STOPPING=1") }
    guard let first, let last, first < last else {
      throw Missing("\(file) has no loop that sleeps and is stopped:\n\(text.suffix(2000))")
    }
    atWork = calls[first..<last]
  }

  /// What each call is named in docs/security.md, where that is not its own name: it differs by
  /// the C library and the processor.
  private static let names = [
    "newfstatat": "stat", "fstat": "stat", "statx": "stat", "openat": "open", "recvfrom": "recv",
    "sendto": "send", "epoll_pwait": "epoll_wait", "epoll_pwait2": "epoll_wait", "ppoll": "poll",
    "pread64": "pread",
    "readlinkat": "readlink", "clone3": "clone", "faccessat": "access", "faccessat2": "access",
    "getdents64": "getdents",
  ]

  private static func call(_ line: Substring) -> Call? {
    guard let bracket = line.firstIndex(of: "("), line.first?.isLetter == true else { return nil }
    let name = String(line[..<bracket])
    return Call(name: names[name] ?? name, text: String(line[bracket...]))
  }

  /// How often each call was made at work.
  package var counts: [String: Int] {
    Dictionary(grouping: atWork, by: \.name).mapValues(\.count)
  }

  /// The calls at work that docs/security.md does not list, or that could wait for somebody by what
  /// it says of them.
  package func faults() throws -> [String] {
    let listed = try Self.documented()
    return atWork.filter { !listed.contains($0.name) || mayWait($0) }
      .map { "\($0.name)\($0.text)" }
  }

  private func mayWait(_ call: Call) -> Bool {
    switch call.name {
    case "recvmsg", "recv", "send", "sendmsg":
      !call.text.contains("MSG_DONTWAIT") && !call.text.contains("<NETLINK:")
    case "accept4": !isMade(call, .listening)
    case "connect": !isMade(call, .datagrams)
    case "poll": !Self.endsAtOnce(call)
    // The loop sleeps in one place.
    case "epoll_wait":
      descriptor(call) != descriptor(atWork[atWork.startIndex]) && !Self.endsAtOnce(call)
    case "open": !call.text.contains("O_PATH") && !Self.isOwn(opened(call))
    case "read", "write", "pread": !Self.isOwn(described(call)) && !isOfThread(call)
    default: false
    }
  }

  private static func endsAtOnce(_ call: Call) -> Bool {
    [", 0) = ", ", 0, NULL, 8) = ", "{tv_sec=0, tv_nsec=0}"].contains { call.text.contains($0) }
  }

  private enum SocketKind: String {
    case listening = "SOCK_STREAM"
    case datagrams = "SOCK_DGRAM"
  }

  /// Whether the socket was made by the daemon, non-blocking.
  private func isMade(_ call: Call, _ kind: SocketKind) -> Bool {
    calls.contains {
      $0.name == "socket" && $0.text.contains(kind.rawValue) && $0.text.contains("SOCK_NONBLOCK")
        && $0.text.contains(") = \(descriptor(call))<")
    }
  }

  /// What is local, and what no client of the daemon's can have a say in.
  private static func isOwn(_ path: Substring) -> Bool {
    let folders = [
      "/proc/", "/sys/", "/run/udev/", "/dev/input/", "/memfd:", "/usr/share/zoneinfo/",
      "anon_inode:", "signalfd:",
    ]
    return folders.contains { path.hasPrefix($0) }
      || ["/etc/passwd", "/etc/group", "/etc/localtime", "/sys", "/log", "/touchroute.toml"]
        .contains { path.hasSuffix($0) }
  }

  /// Whether it takes what a thread has made: eight bytes of a pair of sockets without names.
  private func isOfThread(_ call: Call) -> Bool {
    let end = described(call)
    return call.name == "read" && end.hasPrefix("UNIX-STREAM:[") && !end.contains("\"")
      && call.text.hasSuffix(", 8) = 8")
  }

  /// The number of a call's descriptor.
  private func descriptor(_ call: Call) -> Substring {
    call.text.dropFirst().prefix { $0.isNumber }
  }

  /// What a call's descriptor stands for.
  private func described(_ call: Call) -> Substring {
    call.text.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
  }

  /// What was opened; where it could not be, the path that was asked for.
  private func opened(_ call: Call) -> Substring {
    let parts = call.text.split(separator: ") = ", maxSplits: 1)
    if parts.count == 2, parts[1].contains("<") {
      return parts[1].drop { $0 != "<" }.dropFirst().prefix { $0 != "<" && $0 != ">" }
    }
    return call.text.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
  }

  /// The calls that docs/security.md lists.
  private static func documented() throws -> Set<String> {
    let page = try String(
      contentsOf: Repository.root.appending(path: "docs/security.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").drop { $0 != "## What the loop asks of the kernel" }
      .dropFirst().prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| `") }
    // The first column's names: `send`, `ioctl` (`SIOCOUTQ`).
    return Set(
      rows.flatMap { row in
        row.split(separator: "|")[0].split(separator: "`", omittingEmptySubsequences: false)
          .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      })
  }
}
