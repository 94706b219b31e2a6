// swift-tools-version: 6.2
import PackageDescription

// What the project is measured with; scripts/bench builds and runs it. Not part of the tests.

let rooms = Target.Dependency.product(name: "Rooms", package: "touchroute")

let package = Package(
  name: "touchroute-benchmarks",
  dependencies: [
    .package(name: "touchroute", path: ".."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .target(name: "CBoostTree"),
    .target(name: "CAllocations"),
    .target(name: "Measuring"),
    .executableTarget(
      name: "HitTesting", dependencies: ["CBoostTree", "CAllocations", "Measuring", rooms]),
    // Daemon is the folder of the daemon's own sources; what needs libinput of them is left out.
    .executableTarget(
      name: "RoutingBench",
      dependencies: [
        "CAllocations", "Measuring", rooms, .product(name: "Logging", package: "swift-log"),
      ],
      exclude: [
        "Daemon/Daemon.swift", "Daemon/Daemon+Start.swift", "Daemon/Options.swift",
        "Daemon/Options+Help.swift", "Daemon/StandardErrorLog.swift", "Daemon/StartError.swift",
        "Daemon/Touchrouted.swift",
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
