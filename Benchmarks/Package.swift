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
    .executableTarget(
      name: "RoutingBench",
      dependencies: [
        "CAllocations", "Measuring", rooms, .product(name: "Logging", package: "swift-log"),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
