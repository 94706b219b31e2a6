import NIOHTTP1

/// An answer to a browser.
struct Answer {
  typealias Status = HTTPResponseStatus

  let status: Status
  let type: String
  let body: [UInt8]

  init(_ status: Status, type: String, body: [UInt8]) {
    self.status = status
    self.type = type
    self.body = body
  }

  /// Why something is not done, in a sentence.
  init(refusal status: Status, _ sentence: String) {
    self.init(status, type: "text/plain; charset=utf-8", body: Array("\(sentence)\n".utf8))
  }

  /// The headers of every answer: no other site's page may show it, read it or keep it, and the
  /// page runs no script but ours.
  static func headers(type: String) -> HTTPHeaders {
    [
      "Content-Type": type,
      "Cache-Control": "no-store",
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    ]
  }
}
