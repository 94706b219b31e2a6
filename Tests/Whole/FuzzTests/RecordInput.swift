import Configuration
import TestSupport
import TouchScripts

/// The bytes of a record, as `play --dry --compare` reads them. One that is refused is refused with
/// its name and line.
struct RecordInput {
  private let input: [UInt8]

  private static let layout = """
    [screen.panel]
    size = [1280, 800]
    [[window]]
    name = "home"
    [[view]]
    path = "home/list"
    frame = [0, 100, 500, 700]
    [[view]]
    path = "home/menu"
    frame = [0, 0, 300, 100]
    [[window]]
    name = "media"
    frame = [900, 400, 380, 400]
    [[gesture]]
    view = "home/list"
    name = "scroll"
    kind = "pan"
    [[gesture]]
    view = "home/list"
    name = "zoom"
    kind = "tap"
    taps = 2
    [[gesture]]
    screen = "panel"
    name = "scale"
    kind = "pinch"
    to = "home"

    """

  init(_ input: [UInt8]) { self.input = input }

  func play() throws {
    let folder = try TemporaryDirectory()
    let configuration = try Configuration.load(files: [folder.write("touchroute.toml", Self.layout)]
    )
    let file = try folder.write("record", input)
    do throws(ScriptError) {
      let reader = try RecordReader(file: file)
      let (header, layout) = try reader.header()
      let player: RecordPlayer
      do throws(ScriptError) { player = try RecordPlayer(configuration, header, layout) } catch {
        return
      }
      player.tellsMoves = input.count % 2 == 0
      let comparison = RecordComparison(header, tapIntervalMilliseconds: 350)
      while let line = try reader.next() {
        comparison.record(line)
        do throws(ScriptError) { comparison.played(try player.play(line)) } catch { return }
        _ = comparison.takeDifferences()
      }
      comparison.played(player.finish())
      comparison.finish()
    } catch {
      guard error.sentence.hasPrefix(file) else {
        throw Finding("refused without a name: \(error.sentence)")
      }
    }
  }
}
