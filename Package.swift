// swift-tools-version: 6.2
import PackageDescription

// The rooms, floor by floor. ARCHITECTURE.md says what each owns and whom it may know.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// The page of touchroute-inspect, which has them within.
let pageFiles = [
  "page.html", "page.css", "page.js", "record.js", "screens.js", "beside.js", "timeline.js",
  "programs.js", "heat.js",
]

/// A Swift package of others: fetched, or taken from the folder that TOUCHROUTE_VENDORED names, as
/// Debian's source package does, which is built without a network.
func vendored(_ name: String, from version: Version) -> Package.Dependency {
  guard let folder = Context.environment["TOUCHROUTE_VENDORED"] else {
    return .package(url: "https://github.com/apple/\(name)", from: version)
  }
  return .package(path: "\(folder)/\(name)")
}

func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

/// A room, by its group and name.
func room(_ path: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name(path), dependencies: dependencies, path: "Sources/\(path)", swiftSettings: settings)
}

func name(_ path: String) -> String { String(path.drop { $0 != "/" }.dropFirst()) }

func tests(
  _ path: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name(path), dependencies: dependencies, path: "Tests/\(path)", exclude: exclude,
    resources: resources,
    swiftSettings: settings)
}

let package = Package(
  name: "touchroute",
  products: [
    .library(name: "TouchClient", targets: ["TouchClient", "TouchModel"]),
    .library(name: "CTouchroute", targets: ["CTouchroute"]),
    .executable(name: "touchroute", targets: ["touchroute"]),
    .executable(name: "touchrouted", targets: ["touchrouted"]),
    .executable(name: "touchroute-uinput", targets: ["touchroute-uinput"]),
    .executable(name: "touchroute-tuio", targets: ["touchroute-tuio"]),
    .executable(name: "touchroute-mqtt", targets: ["touchroute-mqtt"]),
    .executable(name: "touchroute-feedback", targets: ["touchroute-feedback"]),
    .executable(name: "touchroute-inspect", targets: ["touchroute-inspect"]),
  ],
  dependencies: [
    vendored("swift-argument-parser", from: "1.8.2"),
    vendored("swift-log", from: "1.16.2"),
    vendored("swift-nio", from: "2.101.2"),
  ],
  targets: [
    // Floor 0: the system's libraries, the wire, the vocabulary.
    .systemLibrary(
      name: "CLibinput", path: "Sources/System/CLibinput", pkgConfig: "libinput libudev"),
    .systemLibrary(name: "CLibevdev", path: "Sources/System/CLibevdev", pkgConfig: "libevdev"),
    .systemLibrary(name: "CSystemd", path: "Sources/System/CSystemd", pkgConfig: "libsystemd"),
    .systemLibrary(name: "CLo", path: "Sources/System/CLo", pkgConfig: "liblo"),
    .systemLibrary(
      name: "CMosquitto", path: "Sources/System/CMosquitto", pkgConfig: "libmosquitto"),
    .target(name: "CLinux", path: "Sources/System/CLinux"),
    // What sd-bus has of logind: its calls have arguments in any number, which Swift can't pass.
    .target(
      name: "CLogind", dependencies: ["CSystemd"], path: "Sources/System/CLogind",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
    // toml++ as headers alone: the installed daemon needs no library of it.
    .target(name: "CToml", path: "Sources/System/CToml"),
    // touchroute.c, as programs copy it; scripts/generate makes it of its parts.
    .target(
      name: "CTouchroute", path: "Sources/Client/CTouchroute", exclude: ["parts"],
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
    // What all outputs have in common: a client that hands one responder's touches on.
    .target(
      name: "CFeed", dependencies: ["CTouchroute"], path: "Sources/Outputs/CFeed",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
    // A virtual touchscreen; the bundles of TUIO.
    .target(
      name: "COutput", dependencies: ["CFeed", "CLibevdev"], path: "Sources/Outputs/COutput",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
    .target(
      name: "CTuio", dependencies: ["CFeed", "CLo"], path: "Sources/Outputs/CTuio",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("m")]),
    room("Core/TouchModel", []),

    // Floors 1 to 3: what touchroute does.
    room("Core/Layout", ["TouchModel"]),
    room("Client/Wire", ["TouchModel"]),
    room("Core/Gestures", ["TouchModel"]),
    room("Core/Signals", ["TouchModel"]),
    room("Core/Routing", ["Gestures", "Layout", "TouchModel", "Wire"]),
    room("System/EventLoop", ["CSystemd", "CLinux"]),
    room(
      "Daemon/TouchInput", ["CLibinput", "CLinux", "EventLoop", "Signals", "TouchModel", logging]),
    room("Daemon/Configuration", ["CToml", "Gestures", "Layout", "TouchModel"]),
    room(
      "Daemon/Server",
      [
        "CTouchroute", "CLinux", "EventLoop", "Gestures", "Routing", "Layout", "TouchModel", "Wire",
        logging,
      ]),
    room("Daemon/DaemonLog", ["EventLoop", "TouchModel", logging]),
    room(
      "Daemon/Exchange",
      [
        "CLinux", "CTouchroute", "Configuration", "EventLoop", "Gestures", "Layout", "Routing",
        "Server", "TouchModel", "Wire", logging,
      ]),
    room("Client/TouchClient", ["CTouchroute", "TouchModel", "Wire"]),
    room("Tool/LayoutDrawing", ["Layout", "TouchModel"]),
    room("Tool/DeviceRecordings", ["CLibevdev", "TouchModel"]),
    room("Tool/ConsoleDrawing", ["CLinux", "TouchModel"]),
    room("Tool/Examination", ["DeviceRecordings", "Signals", "TouchModel"]),
    room("Tool/Blanking", ["Layout", "TouchModel"]),
    room("Tool/InspectorLink", []),
    room("Tool/Recovery", []),
    room(
      "Tool/TouchScripts",
      [
        "Configuration", "DeviceRecordings", "Gestures", "Layout", "Routing", "Signals",
        "TouchClient", "TouchModel",
      ]),

    // Floor 4: the programs.
    .executableTarget(
      name: "touchrouted",
      dependencies: [
        "CLinux", "CTouchroute", "Configuration", "DaemonLog", "EventLoop", "Exchange", "Layout",
        "Routing", "Server", "Signals", "TouchInput", "TouchModel", logging,
      ], path: "Sources/Daemon/touchrouted",
      swiftSettings: settings),
    .executableTarget(
      name: "touchroute",
      dependencies: [
        "Blanking", "CLinux", "CLogind", "CTouchroute", "Configuration", "ConsoleDrawing",
        "DeviceRecordings", "Examination", "Gestures", "InspectorLink", "Layout", "LayoutDrawing",
        "Recovery", "TouchClient", "TouchInput", "TouchModel", "TouchScripts", arguments,
      ], path: "Sources/Tool/touchroute",
      swiftSettings: settings),

    // A virtual touchscreen's process: touchroute output uinput runs it.
    .executableTarget(
      name: "touchroute-uinput", dependencies: ["CFeed", "COutput"],
      path: "Sources/Outputs/touchroute-uinput",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),

    // Cursors over a network: touchroute output tuio runs it.
    .executableTarget(
      name: "touchroute-tuio", dependencies: ["CFeed", "CTuio"],
      path: "Sources/Outputs/touchroute-tuio",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),

    // A click where something was hit: touchroute output feedback runs it.
    .executableTarget(
      name: "touchroute-feedback", dependencies: ["CFeed"],
      path: "Sources/Outputs/touchroute-feedback",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("m"), .linkedLibrary("dl")]),

    // Taps and gestures for a broker: touchroute output mqtt runs it.
    .executableTarget(
      name: "touchroute-mqtt", dependencies: ["CFeed", "CMosquitto"],
      path: "Sources/Outputs/touchroute-mqtt",
      cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("m")]),

    // The page of touchroute inspect: that runs it, and tells it everything.
    .executableTarget(
      name: "touchroute-inspect",
      dependencies: [
        "InspectorLink", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"),
      ], path: "Sources/Tool/touchroute-inspect", exclude: ["jsconfig.json", "page.d.ts"],
      resources: pageFiles.map { .embedInCode("Page/\($0)") }, swiftSettings: settings),

    // Examples, which the tests run; those in C are built by the tests.
    .executableTarget(
      name: "hello", dependencies: ["TouchClient", "TouchModel"], path: "examples/swift",
      exclude: ["Drawer.swift", "Map.swift", "Rows.swift"], swiftSettings: settings),
    .executableTarget(
      name: "drawer", dependencies: ["TouchClient", "TouchModel"], path: "examples/swift",
      exclude: ["Hello.swift", "Map.swift", "Rows.swift"], swiftSettings: settings),
    .executableTarget(
      name: "map", dependencies: ["TouchClient", "TouchModel"], path: "examples/swift",
      exclude: ["Drawer.swift", "Hello.swift", "Rows.swift"], swiftSettings: settings),
    .executableTarget(
      name: "rows", dependencies: ["TouchClient", "TouchModel"], path: "examples/swift",
      exclude: ["Drawer.swift", "Hello.swift", "Map.swift"], swiftSettings: settings),

    // What scripts/bench measures with.
    .target(name: "CBoostTree", path: "Benchmarks/CBoostTree"),
    .target(name: "Measuring", path: "Benchmarks/Measuring"),
    .executableTarget(
      name: "HitTesting",
      dependencies: ["CBoostTree", "CAllocationCount", "Layout", "Measuring", "TouchModel"],
      path: "Benchmarks/HitTesting"),
    .executableTarget(
      name: "RoutingBench",
      dependencies: [
        "CAllocationCount", "CTouchroute", "Configuration", "EventLoop", "Exchange", "Gestures",
        "Layout", "Measuring", "Routing", "Server", "Signals", "TouchModel", logging,
      ],
      path: "Benchmarks/RoutingBench"),
    .executableTarget(
      name: "RecordBench",
      dependencies: ["Configuration", "Measuring", "TouchModel", "TouchScripts"],
      path: "Benchmarks/RecordBench"),

    // The tests mirror the rooms; what they share is in TestSupport, of the daemon as a process and
    // its clients in DaemonSupport, of kernel devices in VirtualDevices.
    .target(
      name: "TestSupport", dependencies: ["CChildProcess"], path: "Tests/Support/TestSupport",
      swiftSettings: settings),
    // logind on a bus of the tests.
    .executableTarget(
      name: "fake-logind", dependencies: ["CSystemd"], path: "Tests/Support/FakeLogind"),
    .target(name: "CChildProcess", path: "Tests/Support/CChildProcess"),
    .target(
      name: "DaemonSupport", dependencies: ["CTouchroute", "TestSupport", "TouchClient"],
      path: "Tests/Support/DaemonSupport", swiftSettings: settings),
    .target(
      name: "VirtualDevices", dependencies: ["CHaptic", "CLibevdev", "CLibinput"],
      path: "Tests/Support/VirtualDevices", swiftSettings: settings),
    // Random worlds and their oracles, which the tests run, and more of them, optimised, a program.
    .target(
      name: "Simulator",
      dependencies: [
        "TestSupport", "CLinux", "CTouchroute", "Configuration", "EventLoop", "Exchange",
        "Gestures", "Layout", "Routing", "Server", "TouchInput", "TouchModel", "Wire", logging,
      ],
      path: "Tests/Whole/Simulator", swiftSettings: settings),
    .executableTarget(
      name: "simulate", dependencies: ["Simulator", "TestSupport"], path: "Tests/Whole/Simulate",
      swiftSettings: settings),
    .target(name: "CAllocationCount", path: "Tests/Support/CAllocationCount"),
    .target(name: "CHaptic", path: "Tests/Support/CHaptic"),
    .target(name: "CThreadCredentials", path: "Tests/Support/CThreadCredentials"),
    .target(name: "CFuzzClient", dependencies: ["CTouchroute"], path: "Tests/Client/CFuzzClient"),
    tests("Core/TouchModelTests", ["TestSupport", "TouchModel"]),
    tests("Client/WireTests", ["CTouchroute", "TouchModel", "Wire"]),
    tests("Core/LayoutTests", ["Layout", "TestSupport", "TouchModel"]),
    tests(
      "Core/RoutingTests",
      [
        "Gestures", "Routing", "Layout", "TestSupport", "TouchModel", "Wire", "CAllocationCount",
      ]),
    tests("Tool/BlankingTests", ["Blanking", "TestSupport", "TouchModel"]),
    tests("Tool/RecoveryTests", ["Recovery", "TestSupport"]),
    tests("Tool/LayoutDrawingTests", ["Configuration", "Layout", "LayoutDrawing", "TouchModel"]),
    tests("Core/GesturesTests", ["Gestures", "TestSupport", "TouchModel"]),
    tests("Core/SignalsTests", ["Signals", "TestSupport", "TouchModel"], exclude: ["Tables"]),
    tests("Tool/ConsoleDrawingTests", ["ConsoleDrawing", "TestSupport", "TouchModel"]),
    tests("Tool/DeviceRecordingsTests", ["DeviceRecordings", "TestSupport", "TouchModel"]),
    tests(
      "Tool/ExaminationTests",
      ["DeviceRecordings", "Examination", "Signals", "TestSupport", "TouchModel"]),
    tests("System/EventLoopTests", ["EventLoop", "TestSupport"]),
    tests("Daemon/TouchInputTests", ["TouchInput", "TouchModel", logging]),
    tests(
      "Daemon/ConfigurationTests",
      ["Configuration", "Layout", "Routing", "TestSupport", "TouchModel"],
      resources: [.copy("Fixtures")]),
    tests(
      "Daemon/ServerTests",
      [
        "CThreadCredentials", "Server", "TestSupport", "CTouchroute", "EventLoop", "Gestures",
        "Routing", "Layout", "TouchModel", "Wire",
      ]),
    tests(
      "Client/TouchClientTests",
      [
        "DaemonSupport", "TestSupport", "TouchClient", "CTouchroute", "TouchModel", "hello",
        "drawer", "map", "rows", "touchrouted",
      ],
      resources: [.copy("Vectors"), .copy("Programs")]),
    tests(
      "Tool/CommandTests",
      [
        "DaemonSupport", "fake-logind", "RecordBench", "TestSupport", "touchroute",
        "touchroute-feedback",
        "touchroute-mqtt", "touchroute-tuio", "touchroute-uinput",
        "touchrouted", "CThreadCredentials",
        "CTouchroute", "Configuration", "EventLoop", "Exchange", "Layout", "Routing", "Server",
        "TouchClient",
        "TouchInput", "TouchModel", "TouchScripts", "Wire", logging,
      ]),
    // The page of touchroute inspect, over its socket and in a browser.
    tests(
      "Tool/InspectTests",
      [
        "DaemonSupport", "InspectorLink", "TestSupport", "TouchClient", "TouchModel", "touchroute",
        "touchroute-inspect", "touchrouted",
      ]),
    tests("Daemon/DaemonLogTests", ["DaemonLog", "TestSupport", "EventLoop", logging]),
    tests(
      "Daemon/ExchangeTests",
      [
        "Blanking", "CAllocationCount", "CThreadCredentials", "CTouchroute", "Configuration",
        "DaemonSupport", "TestSupport", "EventLoop", "Exchange", "Gestures", "Layout", "Routing",
        "Server",
        "TouchClient", "TouchModel", "Wire", logging,
      ]),
    tests(
      "Whole/DeviceTests",
      [
        "DaemonSupport", "TestSupport", "VirtualDevices", "CLibevdev", "TouchClient",
        "TouchInput", "TouchModel", "EventLoop", logging, "touchrouted", "touchroute",
        "touchroute-feedback", "touchroute-uinput",
      ],
      resources: [.copy("Recordings")]),
    tests("Whole/SimulatorTests", ["Simulator", "TestSupport"]),
    // What scripts/fuzz fuzzes; its corpora are inputs of a test.
    tests(
      "Whole/FuzzTests",
      [
        "CFuzzClient", "TestSupport", "CTouchroute", "Configuration", "DeviceRecordings",
        "EventLoop", "Examination", "Exchange", "Layout", "Routing", "Server", "TouchClient",
        "TouchModel", "TouchScripts", logging,
      ], exclude: ["Corpora", "Dictionaries"]),
    tests(
      "Whole/ServiceTests",
      ["TestSupport", "VirtualDevices", "CLibevdev", "TouchClient", "TouchModel"],
      resources: [.copy("Programs")]),
    tests(
      "Outputs/NetworkOutputTests",
      [
        "CFeed", "CTuio", "DaemonSupport", "TestSupport", "TouchClient", "TouchModel", "touchroute",
        "touchroute-mqtt", "touchroute-tuio", "touchrouted",
      ]),
    tests("Outputs/OutputTests", ["COutput", "VirtualDevices"]),
    tests("Whole/TidyTests", ["TestSupport"]),
  ],
  cxxLanguageStandard: .cxx17
)
