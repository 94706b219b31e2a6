/// The layout of most tests: a window with two views, one with a controller.
let homeLayout = """
  [screen.panel]
  size = [800, 480]

  [[window]]
  name = "home"
  screen = "panel"
  frame = [100, 0, 700, 480]
  application = "dashboard"

  [[view]]
  path = "home/list"
  frame = [10, 20, 350, 400]
  controller = "scroller"

  [[view]]
  path = "home/button"
  frame = [400, 10, 100, 40]

  """
