/// How many numbers of attachments the programs of each user have used.
///
/// No number is used twice, and there are 2^32. A program that attaches and detaches all the time
/// would use them up within a day, and nobody could attach any more. So each user has a share. Rule
/// F5.
struct NumberShares {
  /// A sixty-fourth of them: at one a second it lasts two years.
  private static let usual = 1 << 26

  private let share: Int
  private var used: [UInt32: Int] = [:]

  /// - Parameter share: How many the programs of one user may use.
  init(share: Int = usual) { self.share = share }

  /// Why the programs of a user may use no more; nil where they may.
  func refusal(for user: UInt32) -> String? {
    guard used[user, default: 0] >= share else { return nil }
    return "attach: the programs of this user have attached \(share) times, which is their share "
      + "of all numbers for attachments; a restart of the daemon gives them another one"
  }

  /// A program of a user has used one.
  mutating func use(by user: UInt32) { used[user, default: 0] += 1 }
}
