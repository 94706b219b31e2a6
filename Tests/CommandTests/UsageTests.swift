import DaemonSupport
import Foundation
import TestSupport
import Testing

@Suite("Usage")
struct UsageTests {
  private static let commands = [
    "check", "tree", "hit-test", "list-devices", "listen", "monitor", "status", "reload",
    "set", "tap", "press", "swipe", "pinch", "rotate", "inject", "cancel",
    "rehearse", "output uinput", "output tuio", "output mqtt",
  ]

  @Test(
    "A wrong command line says what is wrong with it and exits with 64",
    arguments: [
      (["chek"], "Error: Unexpected argument 'chek'"),
      (["check", "--all"], "Error: Unknown option '--all'"),
      (["check", "a", "--config", "b"], "Error: Files and --config can't be given together."),
      (["hit-test", "5"], "Error: Give X and Y, or --points FILE."),
      (
        ["hit-test", "5", "5", "--points", "a"],
        "Error: X Y and --points can't be given together."
      ),
      (
        ["hit-test", "--points", "a", "--json"],
        "Error: --trace and --json are for one point, X Y."
      ),
      (["hit-test", "5", "5", "--time"], "Error: --time is for --points."),
      (
        ["hit-test", "left", "5"],
        "Error: The value 'left' is invalid for '<x>': it is not a number."
      ),
      (["hit-test", "nan", "5"], "Error: X and Y must be finite numbers."),
      (["listen"], "Error: Missing expected argument '<paths> ...'"),
      (["listen", "home", "bell", "home"], "Error: home is named twice."),
      (
        ["listen", "home", "--handles", "ups"],
        "Error: The value 'ups' is invalid for '--handles <handles>'"
      ),
      (["listen", "home", "--handles", "none"], "Error: --handles must name a phase."),
      (
        ["listen", "home", "--handles", "began,ended", "--passes", "moved"],
        "Error: --passes may only name phases of --handles."
      ),
      (
        ["listen", "home", "--exec", "true", "--handles", "ended"],
        "Error: --exec needs began and ended among --handles."
      ),
      (["listen", "home", "--exec", " "], "Error: --exec must name a command."),
      (
        ["listen", "home", "--exec", "true", "--exec-limit", "-1"],
        "Error: --exec-limit must be from 1 to 64."
      ),
      (
        ["listen", "home", "--exec", "true", "--exec-on", "ended"],
        "Error: --exec-on is for --exec with --gestures."
      ),
      (
        ["listen", "home", "--gestures", "--exec-on", "ended"],
        "Error: --exec-on is for --exec with --gestures."
      ),
      (
        ["listen", "home", "--gestures", "--exec", "true", "--exec-on", "ended,ups"],
        "Error: The value 'ended,ups' is invalid for '--exec-on <exec-on>'"
      ),
      (["listen", "home", "--exec-limit", "2"], "Error: --exec-limit is for --exec."),
      (
        ["tree", "--config", "a", "--socket", "b"],
        "Error: --config and --socket can't be given together."
      ),
      (["tree", "--config", "a", "--live"], "Error: --live and --config can't be given together."),
      (
        ["hit-test", "--config", "a", "--live", "1", "1"],
        "Error: --live and --config can't be given together."
      ),
      (["hit-test", "--socket", "a", "1", "1"], "Error: --socket is for --live."),
      (["hit-test", "--live"], "Error: Give X and Y, or --points FILE."),
      (["set"], "Error: Missing expected argument '<settings> ...'"),
      (["set", "home"], "Error: Say what to set of home, as KEY=VALUE, or give --configured."),
      (["set", "alpha=1"], "Error: Give a path before alpha=1."),
      (["set", "home", "alpha=x"], "Error: alpha must be a number from 0 to 1, not 'x'."),
      (["set", "home", "alpha=2"], "Error: alpha can't be '2': 2.0 is not from 0 to 1."),
      (
        ["set", "home", "frame=0,0,-1,9"],
        "Error: frame can't be '0,0,-1,9': the width is -1.0 points, below 0."
      ),
      (
        ["set", "home", "bounds_origin=0,1e300"],
        "Error: bounds_origin can't be '0,1e300': 1e+300 is beyond the limit `coordinate` of "
          + "1000000000.0."
      ),
      (
        ["set", "home", "transform=scale:0"],
        "Error: transform can't be 'scale:0': the transform can't be inverted."
      ),
      (
        ["set", "home", "transform=rotate:1e300"],
        "Error: rotate must be an angle from -36000 to 36000 degrees, not '1e300'."
      ),
      (
        ["set", "home", "alpha=1", "bell", "alpha=1", "home", "order=1", "alpha=0.5"],
        "Error: alpha of home is set twice."
      ),
      (
        ["set", "home", "order=3000000000"],
        "Error: order must be a whole number from 0, not '3000000000'."
      ),
      (["set", "home", "hidden=1"], "Error: hidden must be true or false, not '1'."),
      (["set", "home", "frame=1,2,3"], "Error: frame must be X,Y,WIDTH,HEIGHT, not '1,2,3'."),
      (["set", "home", "order=-1"], "Error: order must be a whole number from 0, not '-1'."),
      (
        ["set", "home", "transform=turn:3"],
        "Error: transform must be rotate:DEGREES,scale:FACTOR,translate:X:Y, six numbers, or none, "
          + "not 'turn:3'."
      ),
      (
        ["set", "home", "colour=3"],
        "Error: There is no property 'colour': hidden, alpha, interaction, frame, bounds_origin, "
          + "transform, order, outset, shape, inside, hit, secure, exclusive_touch, "
          + "multiple_touch, level, enabled."
      ),
      (
        ["set", "--configured", "home", "alpha=1"],
        "Error: alpha=1 and --configured can't be given together."
      ),
      (["tap"], "Error: Missing expected argument '<x y | path> ...'"),
      (["tap", "5"], "Error: Give X and Y, or the path of a view."),
      (["tap", "-5"], "Error: Give X and Y, or the path of a view."),
      (["tap", "home", "5", "5"], "Error: Give X and Y, or the path of a view."),
      (["tap", "-5", "x"], "Error: X and Y must be finite numbers."),
      (["tap", "-5", "-inf"], "Error: X and Y must be finite numbers."),
      (["tap", "5", "5", "--count", "-1"], "Error: --count must be from 1 to 1000."),
      (
        ["tap", "5", "5", "--hold", "-1"], "Error: --hold must be from 0 to 600000 milliseconds."
      ),
      (["tap", "5", "inf"], "Error: X and Y must be finite numbers."),
      (["tap", "5", "5", "--count", "0"], "Error: --count must be from 1 to 1000."),
      (
        ["tap", "5", "5", "--hold=-1"], "Error: --hold must be from 0 to 600000 milliseconds."
      ),
      (["swipe", "1", "2", "3", "4", "--fingers", "33"], "Error: --fingers must be from 1 to 32."),
      (
        ["swipe", "1", "2", "3", "4", "--duration", "nan"],
        "Error: --duration must be from 0 to 600000 milliseconds."
      ),
      (["tap", "1", "2", "--fingers", "0"], "Error: --fingers must be from 1 to 32."),
      (["press", "1", "2", "--taps", "-1"], "Error: --taps must be from 0 to 1000."),
      (
        ["press", "home", "--hold", "-1"], "Error: --hold must be from 0 to 600000 milliseconds."
      ),
      (["pinch", "1", "2", "--scale", "-0.5"], "Error: --scale must be from 0.01 to 100."),
      (["pinch", "1", "2", "--scale", "nan"], "Error: --scale must be from 0.01 to 100."),
      (
        ["pinch", "1", "2", "--distance", "0"], "Error: --distance must be from 1 to 10000 points."
      ),
      (
        ["rotate", "1", "2", "--degrees", "-36001"],
        "Error: --degrees must be an angle from -36000 to 36000 degrees."
      ),
      (
        ["rotate", "1", "2", "--duration", "-1"],
        "Error: --duration must be from 0 to 600000 milliseconds."
      ),
      (["inject"], "Error: Missing expected argument '<file>'"),
      (["cancel", "0"], "Error: Touches are numbered from 1."),
      (
        ["cancel", "all"],
        "Error: The value 'all' is invalid for '<touch>': it is not the number of a touch."
      ),
      (
        ["cancel", "-1"],
        "Error: The value '-1' is invalid for '<touch>': it is not the number of a touch."
      ),
      (["status", "-1"], "Error: Unexpected argument '-1'"),
      (
        ["monitor", "--why", "--json"],
        "Error: --why can't be given together with --json or --moves."
      ),
      (["status", "now"], "Error: Unexpected argument 'now'"),
      (["output", "uinputs"], "Error: Unexpected argument 'uinputs'"),
      (["output", "tuio", "home"], "Error: Missing expected argument '--to <to>'"),
      (
        ["output", "tuio", "home", "--to", "table:0"],
        "Error: The value 'table:0' is invalid for '--to <to>': the port is not a number from 1 to "
          + "65535."
      ),
      (
        ["output", "mqtt", "home", "--to", "hall:http"],
        "Error: The value 'hall:http' is invalid for '--to <to>': the port is not a number from 1 "
          + "to 65535."
      ),
      (
        ["output", "tuio", "home", "--to", "::1"],
        "Error: The value '::1' is invalid for '--to <to>': an address of IPv6 stands in brackets, "
          + "as in [fd00::7]:3333."
      ),
      (
        ["output", "tuio", "home", "--to", "[::1"],
        "Error: The value '[::1' is invalid for '--to <to>': the bracket is not closed."
      ),
      (
        ["output", "tuio", "home", "--to", "[::1]3333"],
        "Error: The value '[::1]3333' is invalid for '--to <to>': behind the bracket stands :PORT "
          + "or nothing."
      ),
      (
        ["output", "tuio", "home", "--to", ":3333"],
        "Error: The value ':3333' is invalid for '--to <to>': it names no host."
      ),
      (
        ["output", "tuio", "home", "--to", "the table"],
        "Error: The value 'the table' is invalid for '--to <to>': a host is a name or an address, "
          + "in at most 253 characters of ASCII and without spaces."
      ),
      (
        ["output", "tuio", "home", "--to", "table", "--source", "a@b"],
        "Error: --source is from 1 to 200 bytes, without @."
      ),
      (
        ["output", "mqtt", "home", "--to", "hall", "--name", "a/b"],
        "Error: --name is made of A-Z a-z 0-9 _ . -, not as a/b is."
      ),
      (["output", "mqtt", "home", "--to", "hall", "--qos", "2"], "Error: --qos must be 0 or 1."),
      (
        ["output", "mqtt", "home", "--to", "hall", "--password-file", "f"],
        "Error: --password-file needs --user."
      ),
      (
        ["output", "mqtt", "home", "--to", "hall", "--ca-file", "f"],
        "Error: --ca-file, --cert-file and --key-file need --tls."
      ),
      (["output", "uinput"], "Error: Missing expected argument '<path>'"),
      (["output", "uinput", ""], "Error: The path is empty."),
      (["output", "uinput", "home", "--slots", "33"], "Error: --slots must be from 1 to 32."),
      (["output", "uinput", "home", "--pace", "-1"], "Error: --pace must be from 0 to 1000."),
      (
        ["output", "uinput", "home", "--size", "800"],
        "Error: The value '800' is invalid for '--size <size>': it is not WIDTHxHEIGHT."
      ),
      (
        ["output", "uinput", "home", "--size", "1x70000"],
        "Error: The value '1x70000' is invalid for '--size <size>': width and height must be from "
          + "2 to 65536."
      ),
      (
        ["output", "uinput", "home", "--name", "-5/a"],
        "Error: A name is made of A-Z a-z 0-9 _ . : @ -, not as -5/a is."
      ),
      (
        ["output", "uinput", "home", "--cancel", "none"],
        "Error: The value 'none' is invalid for '--cancel <cancel>'. Please provide one of 'away', "
          + "'palm' or 'lift'."
      ),
      (
        ["output", "uinput", "home", "--name", "a/b"],
        "Error: A name is made of A-Z a-z 0-9 _ . : @ -, not as a/b is."
      ),
      (
        ["output", "uinput", "home", "--screen", "panel"],
        "Error: --screen is for an application: a window is on one screen."
      ),
    ])
  func wrongCommandLine(_ arguments: [String], _ firstLine: String) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.split(separator: "\n").first.map(String.init) == firstLine)
  }

  @Test("Behind -- a word is what it is, also where it begins as a negative number does")
  func wordsBehindTheEndOfOptions() throws {
    let directory = try TemporaryDirectory()
    try panel.write(to: directory.url.appending(path: "-1.toml"), atomically: true, encoding: .utf8)
    let result = try Command.run(["check", "--", "-1.toml"], in: directory.url)
    #expect(result.status == 0, "\(result.errors)")
    let point = try Command.run(
      ["hit-test", "--config", "./-1.toml", "--", "-5", "-5"], in: directory.url)
    #expect(point.output.hasPrefix("nothing at (-5, -5)"), "\(point.errors)")
  }

  @Test("Every command explains itself with an example", arguments: commands)
  func help(_ command: String) throws {
    let result = try Command.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Example"))
    #expect(result.output.contains("  touchroute \(command)"))
  }

  @Test(
    "An example is not broken at the edge of a terminal, where a shell would take it for two",
    arguments: commands)
  func unbrokenExamples(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init) + ["--help"]
    let examples = try ["80", "1000"].map { columns in
      let help = try Command.run(words, environment: ["COLUMNS": columns]).output
      let start = try #require(help.range(of: "\nExample"))
      return help[start.upperBound...].components(separatedBy: "\n\n")[0]
    }
    #expect(examples[0] == examples[1])
  }

  @Test("The tool names its version and its commands")
  func root() throws {
    let version = try Command.run(["--version"])
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("touchroute "))
    let help = try Command.run([])
    for command in Self.commands {
      let name = command.prefix { $0 != " " }
      #expect(help.output.contains("\n  \(name) "))
    }
  }

  @Test("Shells can complete it", arguments: ["bash", "zsh", "fish"])
  func completion(_ shell: String) throws {
    let result = try Command.run(["--generate-completion-script", shell])
    #expect(result.status == 0)
    #expect(result.output.contains("hit-test"))
  }

  @Test(
    "Without a daemon, the commands that need one say so and exit with 1",
    arguments: [
      ["listen", "home"], ["monitor"], ["status"], ["reload"], ["tree"],
      ["set", "home", "alpha=1"], ["tap", "1", "1"], ["press", "home"],
      ["swipe", "1", "1", "2", "2"], ["pinch", "9", "9"], ["rotate", "9", "9"],
      ["inject", "/dev/null"], ["cancel"], ["tree", "--live", "--svg"],
      ["hit-test", "--live", "1", "1"],
    ])
  func noDaemon(_ arguments: [String]) throws {
    let directory = try TemporaryDirectory()
    let client = directory.url.path + "/touchroute.sock"
    let result = try Command.run(arguments, environment: ["TOUCHROUTE_SOCKET": client])
    let isClient = ["listen", "hit-test"].contains(arguments[0])
    let socket = isClient ? client : directory.url.path + "/control.sock"
    #expect(
      result
        == .init(
          status: 1, output: "",
          errors: "touchroute: there is no socket at \(socket): is touchrouted running?\n"))
  }
}
