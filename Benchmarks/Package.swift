// swift-tools-version: 6.2
import PackageDescription

// What the project is measured with; scripts/bench builds and runs it. Not part of the tests.

let package = Package(
  name: "touchroute-benchmarks",
  dependencies: [.package(name: "touchroute", path: "..")],
  targets: [
    .target(name: "CBoostTree"),
    .target(name: "CAllocations"),
    .executableTarget(
      name: "HitTesting",
      dependencies: [
        "CBoostTree", "CAllocations", .product(name: "Layout", package: "touchroute"),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
