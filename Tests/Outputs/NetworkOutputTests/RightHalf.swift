/// A window that is the right half of its screen, so that its own coordinates are not the screen's.
let rightHalf = """
  [screen.panel]
  size = [800, 480]
  [[window]]
  name = "home"
  frame = [400, 0, 400, 480]
  """
