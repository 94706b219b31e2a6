/// Which client was given which attachment, in the order of their numbers: these only go up, so a
/// new one belongs at the end, and one is found by halving.
struct AttachmentOwners {
  private var owners: [(attachment: AttachmentID, client: ClientID)] = []

  /// The client that has an attachment; set to nil, nobody has it any more.
  subscript(attachment: AttachmentID) -> ClientID? {
    get {
      let index = index(of: attachment)
      guard index < owners.count, owners[index].attachment == attachment else { return nil }
      return owners[index].client
    }
    set {
      let index = index(of: attachment)
      let isKnown = index < owners.count && owners[index].attachment == attachment
      switch (newValue, isKnown) {
      case (let client?, true): owners[index].client = client
      case (let client?, false): owners.insert((attachment, client), at: index)
      case (nil, true): owners.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Forgets all of a client.
  mutating func removeAll(of client: ClientID) { owners.removeAll { $0.client == client } }

  /// Where an attachment is, or belongs.
  private func index(of attachment: AttachmentID) -> Int {
    var low = 0
    var high = owners.count
    while low < high {
      let middle = (low + high) / 2
      if owners[middle].attachment.rawValue < attachment.rawValue {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
