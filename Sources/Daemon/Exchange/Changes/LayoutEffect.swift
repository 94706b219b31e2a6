import Layout
import Routing
import Server
import TouchModel

/// What ``LayoutTransactions`` wants done: its owner does it, in order. All are boxed, as effects
/// are copied.
indirect enum LayoutEffect {
  /// Take requests of clients that wait, and give the transaction back.
  case gather(Transaction, of: [ClientID])
  /// A request's turn has come: see what it takes, and give its job back.
  case carryOut(LayoutRequest)
  /// Have a background thread make this, and give back what it has made.
  case startThread(BackgroundChange)
  /// Free that, which may take long.
  case free(LayoutEditor)
  /// Tell the administrator what was dropped.
  case log(DroppedPaths)
  /// Put a layout in force. Rule R8.
  case putInForce(LayoutReplacement)
  /// Put a configuration in force, with a layout of it.
  case configure(PreparedConfiguration, LayoutReplacement)
  /// Set properties of recognizers.
  case setRecognizers([SetChange])
  /// Take back what was set of recognizers by rights that have ended.
  case endSettings(EndedRights)
  /// Answer requests: why each is refused; nil where it is in force.
  case answer([(token: RequestToken, refusal: ChangeRefusal?)])
  /// Do what follows from the layout that is in force now.
  case follow(LayoutReplacement)
  /// A step is carried out, and all that follows from it is asked for.
  case carriedOut(LayoutRequest)
  /// Have a client go on that waits.
  case goOn(ClientID)
}
