package import FoundationEssentials
package import Gestures
package import Layout
import TouchModel

/// A layout that is to be drawn: the screens, and all views and recognizers as a record has them.
package struct PicturedLayout {
  /// The layout.
  package let layout: Layout
  /// What it was made of.
  package let description: LayoutDescription
  /// The recognizers.
  package let gestures: [RecognizerSpec]

  private struct Parts: Decodable {
    var screens: [RecordedScreen]
    var views: [RecordedView]
    var gestures: [RecordedRecognizer]?
  }

  /// Reads it, of one object with `screens`, `views` and `gestures`.
  ///
  /// - Throws: what is wrong with it, in a sentence.
  package init(json: Data) throws(ScriptError) {
    let parts: Parts
    do { parts = try JSONDecoder().decode(Parts.self, from: json) } catch {
      throw ScriptError("this is no layout: \((error as? DecodingError)?.words ?? "\(error)")")
    }
    var screens: [Screen] = []
    for screen in parts.screens {
      guard screen.size.count == 2 else {
        throw ScriptError("the size of the screen \"\(screen.name)\" must be two numbers")
      }
      screens.append(
        Screen(
          name: screen.name, size: Size(width: screen.size[0], height: screen.size[1]),
          rotation: Screen.Rotation(rawValue: screen.rotation) ?? .none))
    }
    var description = LayoutDescription(screens: screens)
    for view in parts.views {
      guard !view.path.contains("/") else {
        description.views.append(view.added)
        continue
      }
      guard let screen = screens.firstIndex(where: { $0.name == view.screen }) else {
        throw ScriptError("the window \"\(view.path)\" is on no screen of the layout")
      }
      description.windows.append(view.window(on: ScreenIndex(Int32(screen))))
    }
    do throws(LayoutError) { layout = try Layout(description) } catch {
      throw ScriptError("the layout can't be drawn: \(error.problems[0].message)")
    }
    self.description = description
    gestures = (parts.gestures ?? []).compactMap(\.spec)
  }
}
