import ArgumentParser

/// HOST, HOST:PORT or [ADDRESS]:PORT, as an argument of an output.
struct NetworkAddress {
  let host: String
  let port: UInt16?

  /// - Throws: What is wrong with it, as the parser says it behind the argument.
  init(_ argument: String) throws {
    let (host, port) = try Self.split(argument)
    guard !host.isEmpty else { throw ValidationError("it names no host.") }
    guard host.utf8.count <= 253, host.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw ValidationError(
        "a host is a name or an address, at most 253 characters of ASCII without spaces.")
    }
    self.host = String(host)
    self.port = try port.map(Self.number)
  }

  /// The host, and what stands behind the colon after it.
  private static func split(
    _ argument: String
  ) throws -> (host: Substring, port: Substring?) {
    guard argument.first == "[" else {
      let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2 else {
        // The last part of an address of IPv6 would be taken for a port.
        throw ValidationError(
          "write an IPv6 address in brackets, as in [fd00::7]:3333.")
      }
      return (parts[0], parts.count == 2 ? parts[1] : nil)
    }
    guard let end = argument.firstIndex(of: "]") else {
      throw ValidationError("the bracket is not closed.")
    }
    let rest = argument[argument.index(after: end)...]
    guard rest.isEmpty || rest.first == ":" else {
      throw ValidationError("only :PORT may follow the bracket.")
    }
    return (argument[..<end].dropFirst(), rest.isEmpty ? nil : rest.dropFirst())
  }

  private static func number(_ port: Substring) throws -> UInt16 {
    guard let number = UInt16(port), number > 0,
      port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw ValidationError("the port is not a number from 1 to 65535.") }
    return number
  }
}
