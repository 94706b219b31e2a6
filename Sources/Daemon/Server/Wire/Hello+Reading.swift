import CTouchroute
import Wire

extension Hello {
  /// Reads `hello`.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_hello.self)
    try reader.require(exactly: padded(Int(fixed.name_size)))
    guard fixed.magic == TOUCHROUTE_MAGIC else {
      let magic = String(fixed.magic, radix: 16)
      throw reader.malformed(
        "the magic is 0x\(magic), not 0x\(String(TOUCHROUTE_MAGIC, radix: 16))")
    }
    guard fixed.version > 0 else {
      throw reader.error(
        .version, "version 0 of the protocol; this daemon speaks 1 to \(TOUCHROUTE_VERSION)")
    }
    let name = try reader.string(fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "name")
    if let problem = ClientName.problem(of: name) { throw reader.malformed(problem) }
    self.init(version: fixed.version, name: name)
  }
}
