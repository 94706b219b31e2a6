import NIOHTTP1

/// Which requests are let in. A page of another site, which may make the browser send any request
/// here, gets nothing and does nothing.
struct Gate {
  let token: Token

  /// What is asked for, behind the token.
  enum Passage {
    case to(path: String)
    case refused(Answer)
  }

  func check(_ head: HTTPRequestHead) -> Passage {
    guard head.method == .GET || head.method == .POST else {
      return refuse(.methodNotAllowed, "only GET and POST are understood")
    }
    let hosts = head.headers["host"]
    // Else a name that somebody else owns may have led here: DNS rebinding.
    guard hosts.count == 1, Self.names.contains(Self.name(of: hosts[0])) else {
      return refuse(
        .misdirectedRequest,
        "only 127.0.0.1, localhost and [::1] lead here: for another machine use ssh -L")
    }
    let parts = head.uri.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, token.isKnown(by: parts[1]) else {
      return refuse(
        .forbidden, "the address lacks the token: open the one that touchroute inspect printed")
    }
    let path = String(parts[2].prefix { $0 != "?" })
    let isFromElsewhere = isFromElsewhere(head.headers, host: hosts[0])
    // A link to the page itself may be on any other.
    guard !isFromElsewhere || head.method == .GET && path.isEmpty else {
      return refuse(.forbidden, "another site's page has asked for this")
    }
    let type = head.headers["content-type"]
    if head.method == .POST, type.count != 1 || !type[0].hasPrefix("application/json") {
      return refuse(.unsupportedMediaType, "the body must be application/json")
    }
    return .to(path: path)
  }

  private static let names: Set = ["127.0.0.1", "localhost", "[::1]"]

  /// A host without its port.
  private static func name(of host: String) -> String {
    let host = host.lowercased()
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    let port = host[host.index(after: colon)...]
    let isPort = !port.isEmpty && port.allSatisfy { $0.isASCII && $0.isNumber }
    return isPort ? String(host[..<colon]) : host
  }

  private func isFromElsewhere(_ headers: HTTPHeaders, host: String) -> Bool {
    let origins = headers["origin"]
    if origins.contains(where: { $0.lowercased() != "http://\(host.lowercased())" }) { return true }
    let sites = headers["sec-fetch-site"]
    return sites.contains { $0 != "same-origin" && $0 != "none" }
  }

  private func refuse(_ status: Answer.Status, _ sentence: String) -> Passage {
    .refused(Answer(refusal: status, sentence))
  }
}
