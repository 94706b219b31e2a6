import Routing
import Server

/// How many numbers of attachments, or of recognizers, the programs of each user have used.
///
/// No number is used twice, also not behind a restart that leaves the clients. A program that
/// attaches and detaches all the time would use all of them up within a day, and nobody could
/// attach any more. So each user has a share. Rule F5.
struct NumberShares {
  /// What the numbers are of.
  enum Kind {
    case attachments
    case gestures

    /// A sixty-fourth of those that programs may have: at one a second it lasts for a year.
    fileprivate var usualShare: Int {
      switch self {
      case .attachments: 1 << 26
      case .gestures: 1 << 25
      }
    }

    fileprivate var deed: String {
      switch self {
      case .attachments: "attached"
      case .gestures: "added gestures"
      }
    }
  }

  private let kind: Kind
  private let share: Int
  /// How many the programs of each user have used.
  private(set) var used: [UInt32: Int] = [:]

  /// - Parameter share: How many the programs of one user may use; nil for what is usual.
  init(of kind: Kind, share: Int? = nil) {
    self.kind = kind
    self.share = share ?? kind.usualShare
  }

  /// Why the programs of a user may use no more; nil where they may, and for nobody's.
  func refusal(for user: UInt32?) -> String? {
    guard let user, used[user, default: 0] >= share else { return nil }
    return "the programs of this user have \(kind.deed) \(share) times, which is their share of "
      + "all numbers for \(kind); they get another one when touchrouted is stopped and started "
      + "again (a restart keeps the numbers)"
  }

  /// A program of a user has used one.
  mutating func use(by user: UInt32?) {
    if let user { used[user, default: 0] += 1 }
  }

  /// Takes in what was used with the daemon before.
  mutating func resume(_ used: [UInt32: Int]) { self.used = used }
}

extension Server {
  /// The user whose share a client uses; nil for one of the control socket, which has none.
  func sharingUser(of client: ClientID) -> UInt32? {
    isControl(client) ? nil : credentials(of: client)?.uid
  }
}
