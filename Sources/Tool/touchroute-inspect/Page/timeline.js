// Below: touches by program, and gestures, in the order of time.

import { drawMark } from './programs.js';
import { nameOf } from './record.js';

const lineHeight = 18;

/** The time line: what is shown of it, and the moment that is looked at. */
export class Timeline {
  /** Another moment is looked at.
   * @type {(time: number) => void} */
  onSeek = () => {};
  // Microseconds that are shown.
  shown = 20_000_000;

  #canvas;
  #programs;
  #to = 0;

  constructor(canvas, programs) {
    this.#canvas = canvas;
    this.#programs = programs;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#seek(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) this.#seek(event);
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8);
    }, { passive: false });
  }

  zoom(factor) { this.shown = Math.min(Math.max(this.shown * factor, 100_000), 86_400e6); }

  #seek(event) {
    const share = event.offsetX / this.#canvas.clientWidth;
    this.onSeek(this.#to - this.shown * (1 - share));
  }

  /** Draws it. While it follows, the moment is at its right edge. */
  paint(recording, time, follows) {
    const canvas = this.#canvas;
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = window.devicePixelRatio;
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) {
      [canvas.width, canvas.height] = size;
    }
    if (follows || time > this.#to) this.#to = time;
    if (time < this.#to - this.shown) this.#to = time + this.shown * 0.9;
    const from = this.#to - this.shown;
    const style = getComputedStyle(canvas);
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '11px "DejaVu Sans", sans-serif';
    const scene = {
      context, width, height, from, ink: style.color,
      x: (moment) => ((moment - from) / this.shown) * width,
    };
    this.#paintTicks(scene, recording);
    this.#paintSpans(scene, recording);
    this.#paintMarks(scene, recording);
    context.strokeStyle = '#d00020';
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(scene.x(time), 0);
    context.lineTo(scene.x(time), height);
    context.stroke();
    this.#tell(recording, time);
  }

  #paintTicks({ context, height, from, ink, x }, recording) {
    const steps = [1e4, 5e4, 1e5, 5e5, 1e6, 5e6, 1e7, 6e7, 6e8, 36e8];
    const day = 864e8;
    const step = steps.find((length) => this.shown / length <= 12)
      ?? day * Math.ceil(this.shown / day / 12);
    context.globalAlpha = 0.35;
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 1;
    const start = recording.from;
    for (let tick = Math.max(0, Math.ceil((from - start) / step)); ; tick += 1) {
      const moment = start + tick * step;
      if (moment > this.#to) break;
      context.beginPath();
      context.moveTo(x(moment), 0);
      context.lineTo(x(moment), height);
      context.stroke();
      context.globalAlpha = 1;
      context.fillText(`${+((tick * step) / 1e6).toFixed(2)} s`, x(moment) + 3, height - 4);
      context.globalAlpha = 0.35;
    }
    context.globalAlpha = 1;
  }

  #paintSpans({ context, width, from, ink, x }, recording) {
    const shown = recording.spans.filter(
      (span) => span.from < this.#to && (span.to ?? Infinity) > from);
    const programs = new Map(shown.map(({ program }) => [program?.key, program]));
    [...programs.values()].forEach((program, lane) => {
      const y = 10 + lane * lineHeight;
      const look = this.#programs.look(program);
      context.fillStyle = context.strokeStyle = look.color;
      for (const span of shown) {
        if (span.program?.key !== program?.key) continue;
        const [left, right] = [x(span.from), x(span.to ?? this.#to)];
        if (program === null) context.strokeRect(left, y - 5, Math.max(right - left, 2), 10);
        else context.fillRect(left, y - 5, Math.max(right - left, 2), 10);
        if (!span.cancelled) continue;
        context.fillStyle = ink;
        context.fillText('×', right - 3, y + 4);
        context.fillStyle = look.color;
      }
      drawMark(context, look, 10, y, 6);
      context.fillStyle = ink;
      context.fillText(nameOf(program), 22, y + 4, width / 4);
    });
  }

  #paintMarks({ context, height, from, ink, x }, recording) {
    const y = height - 24;
    context.fillStyle = context.strokeStyle = ink;
    // Words stand where there is room for them before the next mark.
    let next = Infinity;
    for (const { time, event } of recording.marks.toReversed()) {
      if (time < from) break;
      if (time > this.#to || event.state === 'possible') continue;
      const place = x(time);
      if (event.state === 'failed' || event.state === 'passed_by') {
        context.strokeRect(place - 1, y - 4, 2, 8);
      } else {
        context.fillRect(place - 2, y - 6, 4, 12);
        const words = `${event.path.replace(/.*#/, '#')} ${event.state}`;
        const end = place + 8 + context.measureText(words).width;
        if (end < next) context.fillText(words, place + 5, y + 4);
      }
      next = place;
    }
  }

  #tell(recording, time) {
    const canvas = this.#canvas;
    const seconds = (moment) => ((moment - recording.from) / 1e6).toFixed(3);
    canvas.setAttribute('aria-valuemin', '0');
    canvas.setAttribute('aria-valuemax', seconds(recording.to));
    canvas.setAttribute('aria-valuenow', seconds(time));
    canvas.setAttribute('aria-valuetext', `${seconds(time)} s`);
  }
}
