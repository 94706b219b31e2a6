package import TouchModel

/// What a recognizer has to say, in the order in which it is to be sent. Rules G3, G5 and G12.
package struct GestureEvent: Equatable, BitwiseCopyable {
  /// What happened to a recognizer.
  package enum Change: Equatable, BitwiseCopyable {
    /// A discrete kind has recognized.
    case recognized
    /// A continuous kind has begun.
    case began
    /// The values of one that has begun are others now.
    case changed
    /// The last finger of one that has begun was lifted.
    case ended
    /// One that has begun was cut short.
    case cancelled(CancelReason)
    /// It can no longer recognize; for observers alone.
    case failed(FailureReason)
  }

  /// Whose it is.
  package var recognizer: RecognizerID
  /// Where its owner keeps that.
  package var index: Int
  /// What happened.
  package var change: Change
  /// When it happened.
  package var time: Timestamp
  /// What it measures now. A recognizer that fails has measured nothing.
  package var values: GestureValues

  /// What happened to a recognizer, which is kept there.
  package init(
    recognizer: RecognizerID, at index: Int, change: Change, time: Timestamp, values: GestureValues
  ) {
    self.recognizer = recognizer
    self.index = index
    self.change = change
    self.time = time
    self.values = values
  }
}

/// What a recognizer measures, in the coordinates of its view, or of its screen. Rule G16.
///
/// What its kind does not have stays as it is at the beginning.
package struct GestureValues: Equatable, BitwiseCopyable {
  /// The centroid of the fingers on the glass; the last one where none is.
  package var location: Point
  /// How many fingers are on the glass; at `recognized` and `ended` the most that were together.
  package var touches: Int
  /// How far the centroid has gone, since its fingers came down.
  package var translation = Point.zero
  /// How fast the centroid goes, in points a second.
  package var velocity = Point.zero
  /// The mean distance to the centroid against that when the fingers came down.
  package var scale = 1.0
  /// The change of the scale a second.
  package var scaleVelocity = 0.0
  /// How far the fingers have turned, in degrees, clockwise in the view's own sense.
  package var rotation = 0.0
  /// The change of the rotation, in degrees a second.
  package var rotationVelocity = 0.0

  /// Nothing is measured.
  package init() { self.init(location: .zero, touches: 0) }

  /// Values of fingers at a point.
  package init(location: Point, touches: Int) {
    self.location = location
    self.touches = touches
  }
}

/// A touch that a recognizer did not take, since it waited for others. Rule G7.
package struct Refusal: BitwiseCopyable {
  /// The recognizer.
  package let recognizer: RecognizerID
  /// The touch.
  package let touch: TouchID
}
