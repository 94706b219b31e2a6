import ArgumentParser

/// What to do about a responder that another program holds, for what feeds other programs.
struct HoldingOptions: ParsableArguments {
  @Flag(help: "Take the responder from the program that holds it, if that is allowed.")
  var takeOver = false

  @Flag(help: "Wait for a responder that another program holds, or that was taken away.")
  var wait = false

  /// As in feed.h.
  var number: Int { (wait ? 1 : 0) + (takeOver ? 2 : 0) }
}
