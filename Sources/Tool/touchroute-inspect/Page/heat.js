// Where people touch: by place and by view. Touches on secure views have no place, and no part.

const columns = 48;

/** The heat of a recording. */
export function heatOf(recording) {
  const cells = new Map();
  const views = new Map();
  let touches = 0;
  const sizes = recording.latest.layout.screens.map((screen) => Math.max(...screen.size) / columns);
  for (const { event } of recording.entries) {
    if (event.event !== 'frame') continue;
    for (const touch of event.touches) {
      if (!touch.at || touch.phase === 'cancelled') continue;
      if (touch.phase === 'began') {
        touches += 1;
        const target = touch.target ?? 'nothing';
        views.set(target, (views.get(target) ?? 0) + 1);
      }
      const size = sizes[event.screen];
      if (!size) continue;
      const [column, row] = touch.at.map((length) => Math.floor(length / size));
      const key = `${event.screen} ${column} ${row}`;
      cells.set(key, (cells.get(key) ?? 0) + 1);
    }
  }
  const most = Math.max(1, ...cells.values());
  return {
    touches,
    secure: recording.secure,
    cells: [...cells].map(([key, count]) => {
      const [screen, column, row] = key.split(' ').map(Number);
      const size = sizes[screen];
      return {
        screen, x: column * size, y: row * size, size, share: Math.log1p(count) / Math.log1p(most),
      };
    }),
    views: [...views].sort((one, other) => other[1] - one[1]).slice(0, 40),
  };
}
