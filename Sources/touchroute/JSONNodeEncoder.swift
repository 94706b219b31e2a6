/// The standard library's way into a ``JSONNode``.
struct JSONNodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Object(node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Array(node) }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { node.clear() }

  func encode(_ value: some Encodable) throws { try node.set(value) }

  private struct Object<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }

    init(_ node: JSONNode) {
      self.node = node
      node.becomeObject()
    }

    func encodeNil(forKey key: Key) { node.member(key.stringValue).clear() }

    func encode(_ value: some Encodable, forKey key: Key) throws {
      try node.member(key.stringValue).set(value)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      KeyedEncodingContainer(Object<Nested>(node.member(key.stringValue)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      Array(node.member(key.stringValue))
    }

    func superEncoder() -> any Encoder { JSONNodeEncoder(node: node.member("super")) }

    func superEncoder(forKey key: Key) -> any Encoder {
      JSONNodeEncoder(node: node.member(key.stringValue))
    }
  }

  private struct Array: UnkeyedEncodingContainer {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    init(_ node: JSONNode) {
      self.node = node
      node.becomeArray()
    }

    func encodeNil() { node.appended().clear() }

    func encode(_ value: some Encodable) throws { try node.appended().set(value) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      KeyedEncodingContainer(Object<Nested>(node.appended()))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Array(node.appended()) }

    func superEncoder() -> any Encoder { JSONNodeEncoder(node: node.appended()) }
  }
}
