import Foundation
import TestSupport
import Testing

@testable import Blanking

@Suite("The words of touchroute idle")
struct IdlePlanTests {
  private func problem(_ words: String...) -> String? {
    var plan = IdlePlan()
    var reader = IdleWords(words)
    do throws(BlankingError) { try reader.add(to: &plan) } catch { return error.sentence }
    return plan.problem
  }

  @Test("words are read as swayidle reads them, and dim and blank beside them")
  func words() throws {
    var plan = IdlePlan()
    var words = IdleWords(
      [
        "timeout", "60", "idle", "resume", "back", "timeout", "1.5", "other", "dim", "45", "20",
        "blank", "86400", "light", "acpi", "before-sleep", "a", "before-sleep", "b",
        "after-resume", "c",
      ])
    try words.add(to: &plan)
    #expect(plan.problem == nil)
    #expect(
      plan.timeouts == [
        .init(milliseconds: 60_000, command: "idle", resume: "back"),
        .init(milliseconds: 1_500, command: "other", resume: nil),
      ])
    #expect(plan.dim == 45_000 && plan.percent == 20 && plan.blank == 86_400_000)
    #expect(plan.light == "acpi" && plan.beforeSleep == ["a", "b"] && plan.afterResume == ["c"])
  }

  @Test(
    "what can't be is refused with what is wrong",
    arguments: [
      (["timeout"], "timeout needs a time in seconds behind it"),
      (["timeout", "60"], "timeout SECONDS needs a command behind it"),
      (
        ["timeout", "0", "x"],
        "timeout 0: the time must be from 1 to 86400 seconds, which is a day"
      ),
      (["blank", "nan"], "blank nan: the time must be from 1 to 86400 seconds, which is a day"),
      (["blank", "1e9"], "blank 1e9: the time must be from 1 to 86400 seconds, which is a day"),
      (["blank", "60", "blank", "70"], "blank is given twice"),
      (["dim", "60", "100"], "dim to 100: give from 1 to 99 percent of how bright the light is"),
      (
        ["dim", "60", "blank", "60"],
        "the screen is dark before it is dimmed: dim needs a shorter time than blank"
      ),
      (["resume", "x"], "resume belongs behind a timeout and its command"),
      (["blank", "60", "off", "x"], "off and on need each other"),
      (["blank", "60", "off", " ", "on", "y"], "off needs a command behind it"),
      (
        ["dim", "6", "blank", "60", "off", "x", "on", "y"],
        "dim needs a backlight: off and on can't dim a light"
      ),
      (["off", "x", "on", "y"], "off and on need blank"),
      (["timeout", "1", "x", "light", "a"], "light needs dim or blank"),
      (["blank", "1", "light", "../a"], "light needs the name of a backlight behind it"),
      (["blnak", "60"], "there is no word \"blnak\"; did you mean blank?"),
      (
        ["lock", "x"],
        "lock is swayidle's alone: touchroute idle knows no session. It has timeout, resume, dim, "
          + "blank, light, off, on, before-sleep, after-resume"
      ),
      (
        [],
        "there is nothing to do: say timeout SECONDS COMMAND, dim SECONDS, blank SECONDS, "
          + "before-sleep COMMAND or after-resume COMMAND"
      ),
    ])
  func refused(_ words: [String], _ sentence: String) {
    var plan = IdlePlan()
    var reader = IdleWords(words)
    var told: String?
    do throws(BlankingError) { try reader.add(to: &plan) } catch { told = error.sentence }
    #expect(told ?? plan.problem == sentence)
  }

  @Test("a file of an editor of Windows has lines too, each with its comment")
  func linesOfWindows() throws {
    var plan = IdlePlan()
    try IdleFile.add(
      "\u{feff}# my panel\r\nblank 60 # off\r\ndim 45 20\r\n", named: "hall", to: &plan)
    #expect(plan.blank == 60_000 && plan.dim == 45_000)
  }

  @Test("a file has the same words, quoted as for a shell, and its problems name their lines")
  func file() throws {
    var plan = IdlePlan()
    try IdleFile.add(
      """
      # A panel in the hall.
      timeout 60 'echo "it'\\''s idle"' resume "echo \\"back\\" \\n"  # said twice

        dim 45 20
      blank 60
      """, named: "hall", to: &plan)
    #expect(
      plan.timeouts == [
        .init(milliseconds: 60_000, command: "echo \"it's idle\"", resume: "echo \"back\" \\n")
      ])
    #expect(plan.dim == 45_000 && plan.percent == 20 && plan.blank == 60_000)
    var bad = IdlePlan()
    #expect(
      throws: BlankingError(
        "hall:1: there is no word \"blnak\"; did you mean blank?\nhall:3: the quote ' is not closed"
      )
    ) {
      try IdleFile.add("blnak 60\nblank 60\ntimeout 5 'echo", named: "hall", to: &bad)
    }
  }

  @Test("the files of docs/integrating.md are what touchroute idle takes")
  func documented() throws {
    let page = try String(
      contentsOf: Repository.root.appending(path: "docs/integrating.md"), encoding: .utf8)
    let files = page.components(separatedBy: "```idle\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(files.count == 2)
    for file in files {
      var plan = IdlePlan()
      try IdleFile.add(file, named: "panel.conf", to: &plan)
      #expect(plan.problem == nil && plan.blank == 60_000)
    }
  }
}
