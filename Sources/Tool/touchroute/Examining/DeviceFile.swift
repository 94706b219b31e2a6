import DeviceRecordings
import Examination
import TouchScripts

/// Files of what a touchscreen reported: evemu's, and libinput's.
enum DeviceFile {
  /// Reads a recording, and before it a description if there is one.
  static func read(
    _ path: String, describedBy description: String?
  ) throws -> ExaminedRecording {
    let described = try description.map { try read($0, DeviceFileReader()) }
    let reader = try read(path, DeviceFileReader(describedBy: described ?? DeviceFileReader()))
    do throws(DeviceFileReader.Problem) { return try ExaminedRecording(reader) } catch {
      throw Failure("\(path): \(error.sentence)")
    }
  }

  private static func read(
    _ file: String, _ fresh: DeviceFileReader
  ) throws(ScriptError) -> DeviceFileReader {
    var reader = fresh
    let lines = try TextLines(file: file, lengthLimit: PlayedRecording.lineLimit)
    while let line = try lines.next() {
      do throws(DeviceFileReader.Problem) { try reader.read(line) } catch {
        throw lines.failure(error.sentence)
      }
    }
    return reader
  }
}
