/// A screen of 800 x 480 points with the windows `left` and `right` of one application, side by
/// side.
package let windowsSideBySide = """
  [screen.panel]
  size = [800, 480]
  [[window]]
  name = "left"
  frame = [0, 0, 400, 480]
  application = "dashboard"
  [[window]]
  name = "right"
  frame = [400, 0, 400, 480]
  application = "dashboard"

  """

/// The two windows, and a view `button` in the right one.
package let twoWindows =
  windowsSideBySide + """
    [[view]]
    path = "right/button"
    frame = [100, 100, 100, 100]

    """
