import ArgumentParser
import Configuration
import Gestures
import Layout
import TouchClient
import TouchModel

/// What a shell offers for an argument.
enum Completions {
  /// The paths of responders: views, controllers and, where a configuration is read, applications.
  static let responders = CompletionKind.custom { words, _, prefix in
    guard let names = CompletionNames(words) else { return [] }
    return matching(prefix, names.views + names.controllers + names.applications)
  }

  /// The paths of views.
  static let views = CompletionKind.custom { words, _, prefix in
    matching(prefix, CompletionNames(words)?.views ?? [])
  }

  /// The paths of views and, once there is one, the properties that may be set of it.
  static let settings = CompletionKind.custom { words, _, prefix in
    let names = CompletionNames(words)
    let views = names?.views ?? []
    let paths = views + (names?.gestures ?? [])
    // The latest path: a recognizer's, which has a property of its own, or a view's.
    let path = words.last { $0.contains("#") || views.contains($0) }
    guard let path else { return matching(prefix, paths) }
    let properties = SetValue.settable.filter { kind in
      (kind.declaration.owner == .recognizer) == path.contains("#")
    }
    guard prefix.contains("=") else {
      return matching(prefix, paths + properties.map { "\($0.name)=" })
    }
    return matching(
      prefix, properties.flatMap { kind in HitValue.words(kind).map { "\(kind.name)=\($0)" } })
  }

  /// The names of screens.
  static let screens = CompletionKind.custom { words, _, prefix in
    matching(prefix, CompletionNames(words)?.screens ?? [])
  }

  /// The phases of touches, of which a list has several with commas between them.
  static let phases = CompletionKind.custom { _, _, prefix in
    list(prefix, of: TouchPhases.words.map(\.word), instead: ["all"])
  }

  /// The states of gestures, of which a list has several with commas between them.
  static let states = CompletionKind.custom { _, _, prefix in
    list(prefix, of: Gesture.State.allCases.map(\.word), instead: [])
  }

  /// The faults of touchscreens, of which a list has several with commas between them.
  static let faults = CompletionKind.custom { _, _, prefix in
    list(prefix, of: FaultList.all, instead: [])
  }

  /// The most that a shell is given.
  private static let limit = 1000

  /// What may follow in a list with commas: each word once, or at its start one that stands alone.
  private static func list(
    _ prefix: String, of words: [String], instead: [String]
  ) -> [String] {
    let before = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
    let named = before.split(separator: ",").map(String.init)
    let rest = words.filter { !named.contains($0) }.map { "\(before)\($0)" }
    return matching(prefix, rest + (before.isEmpty ? instead : []))
  }

  private static func matching(_ prefix: String, _ candidates: [String]) -> [String] {
    // A shell shows them as they are. One that can't be shown so can't be typed either.
    let shown = candidates.lazy.filter { $0.unicodeScalars.allSatisfy(\.isPrintable) }
    return Array(shown.filter { $0.hasPrefix(prefix) }.prefix(limit))
  }
}

/// The names of a layout: that of the configuration which a command line names, else that of the
/// daemon, else that of the daemon's configuration, which any user may read.
private struct CompletionNames {
  let screens: [String]
  let views: [String]
  let controllers: [String]
  let applications: [String]
  let gestures: [String]

  /// Nil where no layout is to be had.
  init?(_ words: [String]) {
    if let path = Self.value(of: ["--config", "-c"], in: words) {
      guard let configuration = try? Configuration.load(path) else { return nil }
      self.init(configuration)
    } else if let names = try? Self(asking: Self.value(of: ["--socket"], in: words)) {
      self = names
    } else {
      guard let configuration = try? Configuration.load() else { return nil }
      self.init(configuration)
    }
  }

  private init(_ configuration: Configuration) {
    let layout = configuration.layout
    let indices = layout.views.indices.map { ViewIndex(Int32($0)) }
    screens = layout.screens.map(\.name)
    views = indices.map(layout.path(of:))
    controllers = indices.compactMap { view in
      layout.controller(of: view).map { "\(layout.path(of: view))@\(layout.name(of: $0))" }
    }
    applications = layout.applications.map { "app:\($0)" }
    gestures = configuration.gestures.map(\.path)
  }

  private init(asking socket: String?) throws {
    let daemon = try Daemon(.client, path: socket, output: Output())
    let described = try DescribedLayout.views(daemon)
    screens = daemon.screens.map(\.name)
    views = described.map(\.path)
    controllers = described.filter { !$0.controller.isEmpty }.map { "\($0.path)@\($0.controller)" }
    // The daemon describes views and recognizers alone.
    applications = []
    gestures = try DescribedLayout.gestures(daemon).map(\.path)
  }

  private static func value(of options: [String], in words: [String]) -> String? {
    let option = words.firstIndex(where: options.contains)
    return option.flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
  }
}
