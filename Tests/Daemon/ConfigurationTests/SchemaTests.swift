import Foundation
import TestSupport
import Testing

@testable import Configuration

/// What editors go by agrees with what the readers take.
@Suite("JSON Schema")
struct SchemaTests {
  private static let script = """
    import json, re, sys, tomllib
    from jsonschema import Draft7Validator
    schema = json.load(open(sys.argv[1]))
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            errors = list(validator.iter_errors(tomllib.load(file)))
        print(path.rsplit("/", 1)[-1], "bad" if errors else "good", *[e.message for e in errors])
    """

  /// What Python's validator says of texts: each name with `good`, or `bad` and why.
  private func verdicts(_ texts: [(name: String, text: String)]) throws -> [String] {
    let directory = try TemporaryDirectory()
    let schema = try JSONEncoder().encode(ConfigurationSchema())
    try schema.write(to: directory.url.appending(path: "schema.json"))
    for (name, text) in texts { try directory.write(name, text) }
    let result = try RunningProgram.run(
      URL(filePath: "/usr/bin/env"),
      ["python3", "-c", Self.script, directory.file("schema.json")]
        + texts.map { directory.file($0.name) })
    try #require(result.status == 0, "is python3-jsonschema there? \(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("every configuration that is shipped and every example of the documents is good by it")
  func examples() throws {
    var texts = try Repository.configurations().enumerated().map { index, file in
      ("shipped\(index).toml", try String(contentsOf: file, encoding: .utf8))
    }
    for page in ["configuration", "integrating"] {
      let file = Repository.root.appending(path: "docs/\(page).md")
      let blocks = try String(contentsOf: file, encoding: .utf8)
        .components(separatedBy: "```toml\n").dropFirst()
      texts += blocks.enumerated().map { index, block in
        ("\(page)\(index).toml", block.components(separatedBy: "```")[0])
      }
    }
    let found = try verdicts(texts)
    #expect(found.count > 30)
    #expect(found.filter { !$0.hasSuffix(" good") } == [])
  }

  /// Each is refused by a reader, and says in itself why.
  private static let refusedTexts = [
    "[screen.a]\nrotation = 90", "[screen.a]\nsize = [1, 0]", "[screen.\"a b\"]\nsize = [1, 1]",
    "[screen.a]\nsize = [1, 1]\nrotation = 45", "[[window]]\nlevel = 1",
    "[[window]]\nname = \"a b\"", "[[window]]\nname = \"a\"\nlevel = 1000001",
    "[[window]]\nname = \"a\"\npath = \"a\"", "[[view]]\npath = \"a/b\"",
    "[[view]]\npath = \"a\"\nframe = [0, 0, 1, 1]",
    "[[view]]\npath = \"a/b\"\nframe = [0, 0, 1]",
    "[[view]]\npath = \"a/b\"\nframe = [0, 0, 1, \"100\"]",
    "[[window]]\nname = \"a\"\nalpha = 1.5", "[[window]]\nname = \"a\"\nhidden = 1",
    "[[window]]\nname = \"a\"\nshape = \"round\"",
    "[[window]]\nname = \"a\"\nshape = { radius = 1, polygon = [[0, 0], [1, 0], [0, 1]] }",
    "[[window]]\nname = \"a\"\nshape = { polygon = [[0, 0], [1, 0]] }",
    "[[window]]\nname = \"a\"\ninside = { children = [] }",
    "[[window]]\nname = \"a\"\nhit = { second = \"b\" }",
    "[[window]]\nname = \"a\"\ntransform = { rotate = 36001 }",
    "[[window]]\nname = \"a\"\noutset = [1, 2]", "[[access]]\npath = \"a\"",
    "[[access]]\nusers = []", "[[device]]\nmatch = { nme = \"a\" }",
    "[[device]]\ncalibration = [1, 2]", "[[device]]\nbridge_ms = 201",
    "[[device]]\nsmooth = \"avg\"", "[[device]]\nghosts = [\"far\"]",
    "[[device]]\ndead_zones = [[0, 0, 1]]", "[[device]]\niir_weight = 1",
    "[touch]\ntap_interval_ms = -1",
    "[[gesture]]\nview = \"a\"\nname = \"g\"", "[[gesture]]\nname = \"g\"\nkind = \"pan\"",
    "[[gesture]]\nview = \"a\"\nname = \"g\"\nkind = \"pat\"",
    "[[gesture]]\nview = \"a\"\nname = \"g\"\nkind = \"swipe\"",
    "[[gesture]]\nview = \"a\"\nname = \"g\"\nkind = \"pan\"\ndirection = \"up\"",
    "[[gesture]]\nview = \"a\"\nname = \"g\"\nkind = \"pan\"\ntaps = 2",
    "[[gesture]]\nview = \"a\"\nname = \"g\"\nkind = \"tap\"\ntaps = 0",
    "[[gesture]]\nscreen = \"a\"\nname = \"g\"\nkind = \"pan\"",
    "[limits]\nviews = 0", "[limits]\nclients = 1.5", "[scren.a]\nsize = [1, 1]",
  ]

  @Test("what a reader refuses in a value by itself is bad by it")
  func refused() throws {
    // Python is started once.
    let texts = Self.refusedTexts.enumerated().map { ("\($0).toml", $1) }
    let found = try verdicts(texts)
    #expect(found.count == texts.count)
    for (verdict, (name, text)) in zip(found, texts) {
      #expect(verdict.hasPrefix("\(name) bad"), "\(text)")
    }
  }

  @Test("every key that a reader takes is in it, with a sentence that editors show")
  func keys() throws {
    let root = ConfigurationSchema.schema.members["properties"]?.members ?? [:]
    #expect(Set(root.keys) == Set(RootKey.names))
    let screen = root["screen"]?.members["additionalProperties"]
    let view = element(root["view"])
    let window = element(root["window"])
    let device = element(root["device"])
    let tables: [(JSONValue?, [String])] = [
      (screen, ScreenKey.names), (device, DeviceKey.names),
      (device?.members["properties"]?.members["match"], MatchKey.names),
      (window, WindowKey.names + PropertyKey.names), (view, ViewKey.names + PropertyKey.names),
      (element(root["gesture"]), GestureKey.names), (element(root["access"]), AccessKey.names),
      (root["limits"], LimitKey.names),
      (root["touch"], TouchKey.names),
      (view?.members["properties"]?.members["transform"], TransformKey.names),
    ]
    for (table, names) in tables {
      let properties = table?.members["properties"]?.members ?? [:]
      #expect(Set(properties.keys) == Set(names))
      for (name, schema) in properties {
        #expect(schema.members["description"] != nil, "\(name)")
      }
    }
  }

  private func element(_ list: JSONValue?) -> JSONValue? { list?.members["items"] }
}
