/// How many lines of the log each user's programs may cause: a bucket of tokens for each of a
/// bounded number of users, and one for all others together.
struct LogLimiter {
  /// The lines of a user that were left out.
  struct Omission: Equatable {
    /// The user; nil for those who had no bucket of their own.
    var uid: UInt32?
    var count: UInt64
    /// When the first one was, in microseconds.
    var since: UInt64
  }

  /// Of one user. When its tokens are all there again says how many there are.
  private struct Bucket {
    var uid: UInt32?
    var fullAt: UInt64 = 0
    var omitted: UInt64 = 0
    var omittedSince: UInt64 = 0

    /// Whether forgetting it changes nothing.
    func isIdle(at now: UInt64) -> Bool { fullAt <= now && omitted == 0 }
  }

  /// The lines that a user may cause in a row.
  static let burst: UInt64 = 20
  /// After how long there is a further one, in microseconds.
  static let interval: UInt64 = 500_000
  /// The users with a bucket of their own.
  static let users = 64

  private var buckets: [Bucket] = []
  private var others = Bucket()
  /// The lines that were left out so far.
  private(set) var omittedCount: UInt64 = 0

  /// Whether one more line about a program of a user may be written; one that may not is counted.
  ///
  /// - Parameter now: The present, in microseconds.
  mutating func admits(_ uid: UInt32, at now: UInt64) -> Bool {
    let isAdmitted: Bool
    if let index = bucket(of: uid, at: now) {
      isAdmitted = Self.take(from: &buckets[index], at: now)
    } else {
      isAdmitted = Self.take(from: &others, at: now)
    }
    if !isAdmitted { omittedCount += 1 }
    return isAdmitted
  }

  /// What was left out since this was last asked for.
  mutating func takeOmissions() -> [Omission] {
    var omissions = buckets.indices.compactMap { Self.takeOmission(of: &buckets[$0]) }
    if let omission = Self.takeOmission(of: &others) { omissions.append(omission) }
    return omissions
  }

  /// The user's own, made where there are not too many, or one that is as if it were new; else
  /// nil.
  private mutating func bucket(of uid: UInt32, at now: UInt64) -> Int? {
    if let index = buckets.firstIndex(where: { $0.uid == uid }) { return index }
    if buckets.count < Self.users {
      buckets.append(Bucket(uid: uid))
      return buckets.count - 1
    }
    guard let index = buckets.firstIndex(where: { $0.isIdle(at: now) }) else { return nil }
    buckets[index] = Bucket(uid: uid)
    return index
  }

  private static func take(from bucket: inout Bucket, at now: UInt64) -> Bool {
    let fullAt = max(bucket.fullAt, now) + interval
    guard fullAt <= now + burst * interval else {
      if bucket.omitted == 0 { bucket.omittedSince = now }
      bucket.omitted += 1
      return false
    }
    bucket.fullAt = fullAt
    return true
  }

  private static func takeOmission(of bucket: inout Bucket) -> Omission? {
    guard bucket.omitted > 0 else { return nil }
    defer { bucket.omitted = 0 }
    return Omission(uid: bucket.uid, count: bucket.omitted, since: bucket.omittedSince)
  }
}
