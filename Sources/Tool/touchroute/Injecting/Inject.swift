import ArgumentParser
import TouchClient
import TouchScripts

/// `touchroute inject`: touches from a file.
struct Inject: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays touches from a file, as a touchscreen would report them.",
    discussion: """
      Needs the control socket. Each line of the file is one of:
        tap X Y [MILLISECONDS]              a finger in slot 0; 50 ms
        press X Y [MILLISECONDS]            a finger in slot 0; 1000 ms
        swipe X1 Y1 X2 Y2 [MILLISECONDS]    a finger in slot 0; 300 ms
        began SLOT X Y, moved SLOT X Y      add a finger's change to the frame
        ended SLOT, cancelled SLOT          likewise
        frame                               sends the frame
        wait MILLISECONDS
        screen NAME

      SLOT is a number that names a finger while it is down. X and Y are points of the screen. # \
      begins a comment. The whole file is read before anything happens. Fingers that are down at \
      its end are cancelled.

      For each touch a line says which view it hit, and which program gets it or why none does. It \
      also names a gesture that the touch becomes, and the program that hears of it. The exit \
      status is 2 if a touch went to no program and to no gesture.

      Examples:
        touchroute inject pinch.txt
        echo 'tap 9 9' | touchroute inject -
        printf 'began 0 9 9\\nframe\\nended 0\\nframe\\n' | touchroute inject -
      """)

  @OptionGroup var socket: SocketOption

  @Argument(
    help: "The file; - for standard input.",
    completion: .file(),
    transform: NegativeNumbers.restored)
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
          // The script was read without these.
          case .accept, .decline, .power, .lock, .unlock, .expect: break
          }
        } catch let failure as Failure {
          let isScreen = if case .screen = step { true } else { false }
          throw script.failure(failure.sentence, at: line, word: isScreen ? 1 : 0)
        }
      }
    }
  }
}
