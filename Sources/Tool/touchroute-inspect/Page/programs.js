// How programs are told apart: by colour, by mark and by name, so that no one of them must be seen.

// Okabe and Ito's colours, which people with any colour vision tell apart.
const colors = [
  '#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7a7a00', '#8a3ffc',
];
const shapes = ['circle', 'square', 'triangle', 'diamond', 'cross', 'ring', 'star', 'bar'];
const nobody = { color: '#808080', shape: 'ring', dash: [2, 3] };

/** The looks of programs, in the order in which they come. */
export class Programs {
  #numbers = new Map();

  /** How a program looks; null for no program. */
  look(program) {
    if (program === null) return nobody;
    const { key } = program;
    if (!this.#numbers.has(key)) this.#numbers.set(key, this.#numbers.size);
    const number = this.#numbers.get(key);
    return {
      color: colors[number % colors.length],
      shape: shapes[(number + Math.floor(number / colors.length)) % shapes.length],
      dash: [],
    };
  }
}

/** Draws a program's mark around a point. */
export function drawMark(context, { color, shape }, x, y, size) {
  const path = new Path2D();
  const corners = (list) => {
    list.forEach(([dx, dy], index) => {
      if (index === 0) path.moveTo(x + dx * size, y + dy * size);
      else path.lineTo(x + dx * size, y + dy * size);
    });
    path.closePath();
  };
  switch (shape) {
    case 'square': corners([[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]]); break;
    case 'triangle': corners([[0, -1], [0.95, 0.75], [-0.95, 0.75]]); break;
    case 'diamond': corners([[0, -1.1], [1.1, 0], [0, 1.1], [-1.1, 0]]); break;
    case 'bar': corners([[-1, -0.35], [1, -0.35], [1, 0.35], [-1, 0.35]]); break;
    case 'cross':
      corners([
        [-0.3, -1], [0.3, -1], [0.3, -0.3], [1, -0.3], [1, 0.3], [0.3, 0.3], [0.3, 1],
        [-0.3, 1], [-0.3, 0.3], [-1, 0.3], [-1, -0.3], [-0.3, -0.3],
      ]);
      break;
    case 'star':
      corners(Array.from({ length: 10 }, (_, index) => {
        const radius = index % 2 === 0 ? 1.1 : 0.5;
        const angle = (index * Math.PI) / 5 - Math.PI / 2;
        return [Math.cos(angle) * radius, Math.sin(angle) * radius];
      }));
      break;
    default: path.arc(x, y, size * 0.9, 0, 2 * Math.PI);
  }
  context.setLineDash([]);
  context.lineWidth = Math.max(1.5, size / 4);
  context.strokeStyle = shape === 'ring' ? color : '#ffffff';
  context.fillStyle = color;
  if (shape !== 'ring') context.fill(path);
  context.stroke(path);
}
