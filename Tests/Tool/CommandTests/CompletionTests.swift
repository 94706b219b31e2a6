import TestSupport
import Testing

/// What bash offers, as its script and the tool have it.
@Suite("Completion")
struct CompletionTests {
  private let house: House

  init() throws {
    house = try House()
    try house.directory.write(
      "complete.bash",
      """
      source /dev/stdin <<<"$(touchroute --generate-completion-script bash)"
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      COMP_LINE="$*"
      COMP_POINT=${#COMP_LINE}
      _touchroute touchroute "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"

      """)
  }

  /// What is offered for the last word of a line.
  private func offered(_ line: String) throws -> [String] {
    let result = try house.start(shell: "bash complete.bash touchroute \(line)").waitForEnd()
    return result.output.split(separator: "\n").map { String($0.filter { $0 != " " }) }
  }

  @Test("responders are offered by the names of the daemon's layout")
  func responders() throws {
    #expect(
      try offered("listen home/t") == ["home/toolbar", "home/toolbar/back", "home/toolbar@bar"])
    #expect(try offered("listen --json bell ho").contains("home"))
  }

  @Test("views are offered where a finger is to come down")
  func views() throws {
    #expect(try offered("press home/t") == ["home/toolbar", "home/toolbar/back"])
    #expect(try offered("pinch --scale 0.5 be") == ["bell"])
  }

  @Test("what may be set is offered behind a view")
  func settings() throws {
    #expect(try offered("set b") == ["bell"])
    #expect(try offered("set bell f") == ["frame=", "feedback="])
    #expect(
      try offered("set bell h") == [
        "home", "home/toolbar", "home/toolbar/back", "home/dial", "hidden=", "hit=",
      ])
    #expect(try offered("set bell hidden=") == ["hidden=true", "hidden=false"])
    #expect(try offered("set bell hit=n") == ["hit=none"])
  }

  @Test("a screen is offered by the names of the daemon's layout, or of the one that is named")
  func screens() throws {
    #expect(try offered("tap --screen ''") == ["panel", "door"])
    try house.directory.write("other.toml", "[screen.roof]\nsize = [1, 1]\n")
    #expect(try offered("tree -c other.toml --svg --screen ''") == ["roof"])
  }

  @Test("phases are offered one by one, behind the commas before")
  func phases() throws {
    #expect(try offered("listen --handles ''") == ["began", "moved", "ended", "cancelled", "all"])
    #expect(try offered("listen --passes began,m") == ["began,moved"])
    #expect(try offered("listen --exec-on ended,c") == ["ended,changed", "ended,cancelled"])
  }
}
