import TouchClient
import TouchModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Prints the touches of a window: hello [RESPONDER].
@main
struct Hello {
  static func main() async {
    do {
      let session = try TouchSession(name: "hello")
      _ = try await session.attach(to: CommandLine.arguments.dropFirst().first ?? "home")
      for try await frame in session.touches {
        for touch in frame.touches {
          print(touch.phase, touch.targetPath, touch.location.x, touch.location.y)
        }
        fflush(nil)
      }
    } catch {
      fputs("\(error)\n", fdopen(2, "w"))
      fflush(nil)
      exit(1)
    }
  }
}
