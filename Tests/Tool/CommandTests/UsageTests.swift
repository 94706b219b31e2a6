import DaemonSupport
import Foundation
import TestSupport
import Testing

@Suite("Usage")
struct UsageTests {
  private static let commands = [
    "check", "tree", "hit-test", "list-devices", "listen", "monitor", "status", "top", "metrics",
    "reload", "set", "tap", "press", "swipe", "pinch", "rotate", "inject", "cancel",
    "screen", "lock", "unlock", "idle", "rehearse", "test", "record", "play", "inspect", "doctor",
    "calibrate", "recover",
    "output uinput",
    "output tuio",
    "output mqtt",
    "output feedback",
  ]

  @Test(
    "A wrong command line says what is wrong with it and exits with 64",
    arguments: [
      (["chek"], "touchroute: there is no command \"touchroute chek\"; did you mean \"check\"?"),
      (
        ["help", "nosuch"],
        "touchroute: there is no command \"touchroute nosuch\": it is one of check, "
          + "tree, hit-test, list-devices, listen, monitor, status, top, metrics, reload, set, "
          + "tap, press, swipe, pinch, rotate, inject, cancel, screen, lock, unlock, idle, "
          + "rehearse, test, record, play, inspect, doctor, calibrate, recover, output"
      ),
      (
        ["help", "chekc"],
        "touchroute: there is no command \"touchroute chekc\"; did you mean \"check\"?"
      ),
      (
        ["help", "check", "all"],
        "touchroute: touchroute check has no commands of its own, and so no all"
      ),
      (["check", "--all"], "touchroute: unknown option '--all'"),
      (["check", "a", "--config", "b"], "touchroute: files and --config can't be given together"),
      (["hit-test", "5"], "touchroute: give X and Y, or --points FILE"),
      (
        ["hit-test", "5", "5", "--points", "a"],
        "touchroute: X Y and --points can't be given together"
      ),
      (
        ["hit-test", "--points", "a", "--json"],
        "touchroute: --trace and --json are for one point, X Y"
      ),
      (["hit-test", "5", "5", "--time"], "touchroute: --time needs --points"),
      (
        ["hit-test", "left", "5"],
        "touchroute: the value 'left' is invalid for '<x>': it is not a number"
      ),
      (["hit-test", "nan", "5"], "touchroute: X and Y must be finite numbers"),
      (["calibrate", "--crosses", "4"], "touchroute: --crosses must be from 5 to 25"),
      (["calibrate", "--seconds", "0"], "touchroute: --seconds must be from 1 to 600"),
      (
        ["record", "--device", "panel", "--last", "60s", "a"],
        "touchroute: --device and --last can't be given together"
      ),
      (["listen"], "touchroute: missing expected argument '<paths> ...'"),
      (["listen", "home", "bell", "home"], "touchroute: home is named twice"),
      (
        ["listen", "home", "--handles", "ups"],
        "touchroute: the value 'ups' is invalid for '--handles <handles>'"
      ),
      (["listen", "home", "--handles", "none"], "touchroute: --handles must name a phase"),
      (
        ["listen", "home", "--handles", "began,ended", "--passes", "moved"],
        "touchroute: --passes may only name phases of --handles"
      ),
      (
        ["listen", "home", "--exec", "true", "--handles", "ended"],
        "touchroute: --exec needs began and ended among --handles"
      ),
      (["listen", "home", "--exec", " "], "touchroute: --exec must name a command"),
      (
        ["listen", "home", "--exec", "true", "--exec-limit", "-1"],
        "touchroute: --exec-limit must be from 1 to 64"
      ),
      (
        ["listen", "home", "--exec", "true", "--exec-on", "ended"],
        "touchroute: --exec-on needs --exec and --gestures"
      ),
      (
        ["listen", "home", "--gestures", "--exec-on", "ended"],
        "touchroute: --exec-on needs --exec and --gestures"
      ),
      (
        ["listen", "home", "--gestures", "--exec", "true", "--exec-on", "ended,ups"],
        "touchroute: the value 'ended,ups' is invalid for '--exec-on <exec-on>'"
      ),
      (["listen", "home", "--exec-limit", "2"], "touchroute: --exec-limit needs --exec"),
      (
        ["tree", "--config", "a", "--socket", "b"],
        "touchroute: --config and --socket can't be given together"
      ),
      (
        ["tree", "--config", "a", "--live"],
        "touchroute: --live and --config can't be given together"
      ),
      (
        ["hit-test", "--config", "a", "--live", "1", "1"],
        "touchroute: --live and --config can't be given together"
      ),
      (["hit-test", "--socket", "a", "1", "1"], "touchroute: --socket needs --live"),
      (["hit-test", "--live"], "touchroute: give X and Y, or --points FILE"),
      (["set"], "touchroute: missing expected argument '<settings> ...'"),
      (["set", "home"], "touchroute: say what to set of home, as KEY=VALUE, or give --configured"),
      (["set", "alpha=1"], "touchroute: give a path before alpha=1"),
      (["set", "home", "alpha=x"], "touchroute: alpha must be a number from 0 to 1, not 'x'"),
      (["set", "home", "alpha=2"], "touchroute: alpha can't be '2': 2.0 is not from 0 to 1"),
      (
        ["set", "home", "frame=0,0,-1,9"],
        "touchroute: frame can't be '0,0,-1,9': the width is -1.0 points, below 0"
      ),
      (
        ["set", "home", "bounds_origin=0,1e300"],
        "touchroute: bounds_origin can't be '0,1e300': 1e+300 is beyond the limit `coordinate` of "
          + "1000000000.0"
      ),
      (
        ["set", "home", "transform=scale:0"],
        "touchroute: transform can't be 'scale:0': the transform can't be inverted"
      ),
      (
        ["set", "home", "transform=rotate:1e300"],
        "touchroute: rotate must be an angle from -36000 to 36000 degrees, not '1e300'"
      ),
      (
        ["set", "home", "alpha=1", "bell", "alpha=1", "home", "order=1", "alpha=0.5"],
        "touchroute: alpha of home is set twice"
      ),
      (
        ["set", "home", "order=3000000000"],
        "touchroute: order must be a whole number from 0, not '3000000000'"
      ),
      (["set", "home", "hidden=1"], "touchroute: hidden must be true or false, not '1'"),
      (["set", "home", "frame=1,2,3"], "touchroute: frame must be X,Y,WIDTH,HEIGHT, not '1,2,3'"),
      (["set", "home", "order=-1"], "touchroute: order must be a whole number from 0, not '-1'"),
      (
        ["set", "home", "transform=turn:3"],
        "touchroute: transform must be rotate:DEGREES,scale:FACTOR,translate:X:Y, six numbers, or "
          + "none, not 'turn:3'"
      ),
      (
        ["set", "nav", "hiden="],
        "touchroute: there is no property 'hiden'; did you mean 'hidden'?"
      ),
      (
        ["set", "home", "colour=3"],
        "touchroute: there is no property 'colour': hidden, alpha, interaction, frame, "
          + "bounds_origin, transform, order, outset, shape, inside, hit, secure, exclusive_touch, "
          + "multiple_touch, level, enabled, label, feedback"
      ),
      (
        ["set", "--configured", "home", "alpha=1"],
        "touchroute: alpha=1 and --configured can't be given together"
      ),
      (["tap"], "touchroute: missing expected argument '<x y | path> ...'"),
      (["tap", "5"], "touchroute: give X and Y, or the path of a view"),
      (["tap", "-5"], "touchroute: give X and Y, or the path of a view"),
      (
        ["tap", "20,20"],
        "touchroute: X and Y are two words, without a comma; did you mean 20 20?"
      ),
      (
        ["press", "20,", "-20.5"],
        "touchroute: X and Y are two words, without a comma; did you mean 20 -20.5?"
      ),
      (
        ["pinch", "-20,20"],
        "touchroute: X and Y are two words, without a comma; did you mean -20 20?"
      ),
      (
        ["rotate", "20", ",20"],
        "touchroute: X and Y are two words, without a comma; did you mean 20 20?"
      ),
      (
        ["swipe", "700,240", "100,240"],
        "touchroute: the value '700,240' is invalid for '<x1>': it is not a number; did you mean "
          + "700 240?"
      ),
      (
        ["hit-test", "20,20"],
        "touchroute: the value '20,20' is invalid for '<x>': it is not a number; did you mean "
          + "20 20?"
      ),
      (["tap", "home", "5", "5"], "touchroute: give X and Y, or the path of a view"),
      (["tap", "-5", "x"], "touchroute: X and Y must be finite numbers"),
      (["tap", "-5", "-inf"], "touchroute: X and Y must be finite numbers"),
      (["tap", "5", "5", "--count", "-1"], "touchroute: --count must be from 1 to 1000"),
      (
        ["tap", "5", "5", "--hold", "-1"],
        "touchroute: --hold must be from 0 to 600000 milliseconds"
      ),
      (["tap", "5", "inf"], "touchroute: X and Y must be finite numbers"),
      (["tap", "5", "5", "--count", "0"], "touchroute: --count must be from 1 to 1000"),
      (
        ["tap", "5", "5", "--hold=-1"], "touchroute: --hold must be from 0 to 600000 milliseconds"
      ),
      (
        ["swipe", "1", "2", "3", "4", "--fingers", "11"],
        "touchroute: --fingers must be from 1 to 10"
      ),
      (
        ["swipe", "1", "2", "3", "4", "--duration", "nan"],
        "touchroute: --duration must be from 0 to 600000 milliseconds"
      ),
      (["tap", "1", "2", "--fingers", "0"], "touchroute: --fingers must be from 1 to 10"),
      (["press", "1", "2", "--taps", "-1"], "touchroute: --taps must be from 0 to 1000"),
      (
        ["press", "home", "--hold", "-1"],
        "touchroute: --hold must be from 0 to 600000 milliseconds"
      ),
      (["pinch", "1", "2", "--scale", "-0.5"], "touchroute: --scale must be from 0.01 to 100"),
      (["pinch", "1", "2", "--scale", "nan"], "touchroute: --scale must be from 0.01 to 100"),
      (
        ["pinch", "1", "2", "--distance", "0"],
        "touchroute: --distance must be from 1 to 10000 points"
      ),
      (
        ["rotate", "1", "2", "--degrees", "-36001"],
        "touchroute: --degrees must be an angle from -36000 to 36000 degrees"
      ),
      (
        ["rotate", "1", "2", "--duration", "-1"],
        "touchroute: --duration must be from 0 to 600000 milliseconds"
      ),
      (["inject"], "touchroute: missing expected argument '<file>'"),
      (["test"], "touchroute: missing expected argument '<files> ...'"),
      (
        ["test", "--config", "a", "--socket", "b", "c"],
        "touchroute: --config and --socket can't be given together"
      ),
      (["test", "--junit", "", "c"], "touchroute: --junit must name a file"),
      (
        ["idle"],
        "touchroute: there is nothing to do: say timeout SECONDS COMMAND, dim SECONDS, blank "
          + "SECONDS, before-sleep COMMAND or after-resume COMMAND"
      ),
      (
        ["idle", "blank", "-5"],
        "touchroute: blank -5: the time must be from 1 to 86400 seconds, which is a day"
      ),
      (["screen", "panel", "off"], "touchroute: the state must be dark or on, not \"off\""),
      (
        ["screen", "panel", "dark", "--watch"],
        "touchroute: --watch can't be given together with a state"
      ),
      (["cancel", "0"], "touchroute: touches are numbered from 1"),
      (
        ["cancel", "all"],
        "touchroute: the value 'all' is invalid for '<touch>': it is not the number of a touch"
      ),
      (
        ["cancel", "-1"],
        "touchroute: the value '-1' is invalid for '<touch>': it is not the number of a touch"
      ),
      (
        ["recover", "ILITEK", "--on", "silent,nope"],
        "touchroute: the value 'silent,nope' is invalid for '--on <on>': there is no fault 'nope': "
          + "it is one of silent, held, slowed, haunted, overrun, unsteady, drifted"
      ),
      (
        ["recover", "ILITEK", "--on", "slient"],
        "touchroute: the value 'slient' is invalid for '--on <on>': there is no fault 'slient'; "
          + "did you mean 'silent'?"
      ),
      (
        ["inspect", "--listen", "0.0.0.0"],
        "touchroute: --listen takes the path of a Unix socket, such as ./0.0.0.0: for a browser "
          + "elsewhere forward the port by ssh"
      ),
      (["top", "--every", "-1"], "touchroute: --every must be from 0.1 to 60 seconds"),
      (["top", "--every", "nan"], "touchroute: --every must be from 0.1 to 60 seconds"),
      (
        ["top", "--every", "2", "--once"],
        "touchroute: --every and --once can't be given together"
      ),
      (["status", "-1"], "touchroute: unexpected argument '-1'"),
      (
        ["monitor", "--why", "--json"],
        "touchroute: --why can't be given together with --json or --moves"
      ),
      (
        ["rehearse", "a", "--program", "home", "--program", "nav", "--program", "home"],
        "touchroute: --program home is given twice"
      ),
      (
        ["tap", "5", "5", "--finger", "2"],
        "touchroute: unknown option '--finger'. Did you mean '--fingers'?"
      ),
      (
        ["idle", "--screem=panel"],
        "touchroute: unknown option '--screem'. Did you mean '--screen'?"
      ),
      (["listen", "--all"], "touchroute: unknown option '--all'"),
      (["tap", "5", "5", "-f", "2"], "touchroute: unknown option '-f'"),
      (["listen", "--", "--wait", "--wait"], "touchroute: --wait is named twice"),
      (
        ["output", "mqtt", "home", "--tlss"],
        "touchroute: unknown option '--tlss'. Did you mean '--tls'?"
      ),
      (["status", "now"], "touchroute: unexpected argument 'now'"),
      (
        ["output", "uinputs"],
        "touchroute: there is no command \"touchroute output uinputs\"; did you mean \"uinput\"?"
      ),
      (["output", "tuio", "home"], "touchroute: missing expected argument '--to <to>'"),
      (
        ["output", "tuio", "home", "--to", "table:0"],
        "touchroute: the value 'table:0' is invalid for '--to <to>': the port is not a number "
          + "from 1 to 65535"
      ),
      (
        ["output", "mqtt", "home", "--to", "hall:http"],
        "touchroute: the value 'hall:http' is invalid for '--to <to>': the port is not a number "
          + "from 1 to 65535"
      ),
      (
        ["output", "tuio", "home", "--to", "::1"],
        "touchroute: the value '::1' is invalid for '--to <to>': write an IPv6 address in "
          + "brackets, as in [fd00::7]:3333"
      ),
      (
        ["output", "tuio", "home", "--to", "[::1"],
        "touchroute: the value '[::1' is invalid for '--to <to>': the bracket is not closed"
      ),
      (
        ["output", "tuio", "home", "--to", "[::1]3333"],
        "touchroute: the value '[::1]3333' is invalid for '--to <to>': only :PORT may follow "
          + "the bracket"
      ),
      (
        ["output", "tuio", "home", "--to", ":3333"],
        "touchroute: the value ':3333' is invalid for '--to <to>': it names no host"
      ),
      (
        ["output", "tuio", "home", "--to", "the table"],
        "touchroute: the value 'the table' is invalid for '--to <to>': a host is a name or an "
          + "address, at most 253 characters of ASCII without spaces"
      ),
      (
        ["output", "tuio", "home", "--to", "table", "--source", "a@b"],
        "touchroute: --source must be 1 to 200 bytes long, without @"
      ),
      (
        ["output", "mqtt", "home", "--to", "hall", "--name", "a/b"],
        "touchroute: --name must be 1 to 200 of the characters A-Z a-z 0-9 _ . -, and a/b is not"
      ),
      (
        ["output", "mqtt", "home", "--to", "hall", "--qos", "2"], "touchroute: --qos must be 0 or 1"
      ),
      (
        ["output", "mqtt", "home", "--to", "hall", "--password-file", "f"],
        "touchroute: --password-file needs --user"
      ),
      (
        ["output", "mqtt", "home", "--to", "hall", "--ca-file", "f"],
        "touchroute: --ca-file, --cert-file and --key-file need --tls"
      ),
      (["output", "feedback", "--most", "0"], "touchroute: --most must be from 1 to 100"),
      (
        ["output", "feedback", "--sound", "a b"],
        "touchroute: --sound a b: feedback: a name is made of letters, digits, \"_\", \".\" and "
          + "\"-\""
      ),
      (
        ["output", "feedback", "--sound", "none"],
        "touchroute: --sound none: it needs the name of a feedback, or *"
      ),
      (
        ["output", "feedback", "--sound", "click="],
        "touchroute: --sound click=: the file is missing"
      ),
      (["output", "feedback", "--run", "click"], "touchroute: --run click must be NAME=COMMAND"),
      (
        ["output", "feedback", "--rumble", "click=event5"],
        "touchroute: --rumble click=event5 must be NAME=DEVICE,MILLISECONDS,PERCENT; DEVICE is a "
          + "whole path such as /dev/input/event5"
      ),
      (
        ["output", "feedback", "--beep", "*=/dev/input/event5,20,5"],
        "touchroute: --beep *=/dev/input/event5,20,5: HERTZ must be a whole number from 20 to 20000"
      ),
      (["output", "uinput"], "touchroute: missing expected argument '<path>'"),
      (["output", "uinput", ""], "touchroute: the path is empty"),
      (["output", "uinput", "home", "--slots", "33"], "touchroute: --slots must be from 1 to 32"),
      (["output", "uinput", "home", "--pace", "-1"], "touchroute: --pace must be from 0 to 1000"),
      (
        ["output", "uinput", "home", "--size", "800"],
        "touchroute: the value '800' is invalid for '--size <size>': it is not WIDTHxHEIGHT"
      ),
      (
        ["output", "uinput", "home", "--size", "1x70000"],
        "touchroute: the value '1x70000' is invalid for '--size <size>': width and height must be "
          + "from 2 to 65536"
      ),
      (
        ["output", "uinput", "home", "--name", "-5/a"],
        "touchroute: the name -5/a must be made of A-Z a-z 0-9 _ . : @ -, and not of one or "
          + "two dots"
      ),
      (
        ["output", "uinput", "home", "--cancel", "none"],
        "touchroute: the value 'none' is invalid for '--cancel <cancel>'. Please provide one of "
          + "'away', 'palm' or 'lift'"
      ),
      (
        ["output", "uinput", "home", "--name", "a/b"],
        "touchroute: the name a/b must be made of A-Z a-z 0-9 _ . : @ -, and not of one or "
          + "two dots"
      ),
      (
        ["output", "uinput", "home", "--screen", "panel"],
        "touchroute: --screen needs an application: a window is on one screen"
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
      ["listen", "home"], ["monitor"], ["status"], ["top"], ["metrics"], ["reload"], ["tree"],
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
