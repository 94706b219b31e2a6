import Examination
import TouchScripts

/// Files of evemu.
enum EvemuFile {
  /// Reads a recording, and before it a description if there is one.
  static func read(
    _ path: String, describedBy description: String?
  ) throws -> ExaminedRecording {
    var reader = EvemuReader()
    for file in [description, path].compactMap({ $0 }) {
      let lines = try TextLines(file: file)
      while let line = try lines.next() {
        do throws(EvemuReader.Problem) { try reader.read(line) } catch {
          throw lines.failure(error.sentence)
        }
      }
    }
    do throws(EvemuReader.Problem) { return try ExaminedRecording(reader) } catch {
      throw Failure("\(path): \(error.sentence)")
    }
  }
}
