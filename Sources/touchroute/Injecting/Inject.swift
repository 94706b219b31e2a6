import ArgumentParser
import TouchClient
import TouchScripts

/// `touchroute inject`: touches from a file.
struct Inject: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays touches from a file, as a touchscreen would give them.",
    discussion: """
      Needs the control socket. A line is one of: tap X Y, press X Y, swipe X1 Y1 X2 Y2, a finger \
      each in slot 0, with the milliseconds behind it where these are not 50, 1000 and 300; began \
      SLOT X Y, moved SLOT X Y, ended SLOT, cancelled SLOT, which gather a frame; frame, which \
      sends it; wait MILLISECONDS; screen NAME. SLOT is a number that names a finger while it is \
      down, X and Y are points of the screen. What follows # is left out. The whole file is read \
      before anything happens. Fingers that are down at its end are cancelled.

      A line for each touch says what it hit and which program gets it, or why nobody does; a \
      gesture that comes of it is named, with who is told. The exit status is 2 where a touch \
      went to no program and to no gesture.

      Examples:
        touchroute inject pinch.txt
        echo 'tap 9 9' | touchroute inject -
        printf 'began 0 9 9\\nframe\\nended 0\\nframe\\n' | touchroute inject -
      """)

  @OptionGroup var socket: SocketOption

  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String

  func run() throws {
    let script = try InjectScript(file: file)
    try Injector.run(socket) { injector in
      for (line, step) in script.steps {
        do {
          switch step {
          case .screen(let name): try injector.choose(screen: name)
          case .wait(let milliseconds): injector.wait(milliseconds: milliseconds)
          case .frame(let contacts): try injector.frame(contacts)
          case .accept, .decline: break  // The script was read without them.
          }
        } catch let failure as Failure {
          let isScreen = if case .screen = step { true } else { false }
          throw script.failure(failure.sentence, at: line, word: isScreen ? 1 : 0)
        }
      }
    }
  }
}
