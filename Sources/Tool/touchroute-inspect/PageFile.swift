/// A file of the page, which is within the program.
struct PageFile {
  let type: String
  let bytes: [UInt8]

  /// The file of a path behind the token; nil where the page has none of that name.
  init?(_ path: String) {
    switch path {
    case "": (type, bytes) = ("text/html; charset=utf-8", PackageResources.page_html)
    case "page.css": (type, bytes) = ("text/css; charset=utf-8", PackageResources.page_css)
    case "page.js": (type, bytes) = (Self.script, PackageResources.page_js)
    case "record.js": (type, bytes) = (Self.script, PackageResources.record_js)
    case "screens.js": (type, bytes) = (Self.script, PackageResources.screens_js)
    case "beside.js": (type, bytes) = (Self.script, PackageResources.beside_js)
    case "timeline.js": (type, bytes) = (Self.script, PackageResources.timeline_js)
    case "programs.js": (type, bytes) = (Self.script, PackageResources.programs_js)
    case "heat.js": (type, bytes) = (Self.script, PackageResources.heat_js)
    default: return nil
    }
  }

  private static let script = "text/javascript; charset=utf-8"
}
