// The middle: the screens as the server draws them, and what moves on them.

import { drawMark } from './programs.js';
import { ownerOf } from './record.js';

const trailTime = 700_000;
const fadeTime = 600_000;

/** The screens of a layout, with fingers, and what the pointer is over. */
export class Screens {
  /** What a touch at a cross would hit was asked.
   * @type {(place: {drawing: number, screen: number, x: number, y: number}) => void} */
  onHit = () => {};
  /** The pointer is over a view of this path.
   * @type {(path: string | null) => void} */
  onOver = () => {};
  /** The mouse is a finger.
   * @type {(move: {phase: string, screen: number, x: number, y: number}) => void | null} */
  onFinger = null;
  heat = null;
  // When the first layout was there, in milliseconds of the page.
  firstDrawing = null;

  #place;
  #programs;
  #ask;
  #canvas = document.createElement('canvas');
  #complaint = document.createElement('p');
  #svg = null;
  #groups = [];
  #wanted = null;
  #drawn = null;
  #drawing = 0;
  #isAsking = false;
  #cross = null;
  #under = null;
  #isDown = false;

  constructor(place, programs, ask) {
    this.#place = place;
    this.#programs = programs;
    this.#ask = ask;
    this.#complaint.hidden = true;
    place.append(this.#canvas, this.#complaint);
    place.addEventListener('pointermove', (event) => this.#move(event));
    place.addEventListener('pointerleave', () => this.#markUnder(null));
    place.addEventListener('pointerdown', (event) => this.#press(event));
    place.addEventListener('pointerup', (event) => this.#lift(event, 'ended'));
    place.addEventListener('pointercancel', (event) => this.#lift(event, 'cancelled'));
    place.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Whether what is shown is the layout that should be. */
  get isCurrent() { return this.#drawn !== null && this.#drawn === this.#wanted?.number; }

  /** Shows a layout; it is drawn by the server, one at a time. */
  show(layout) {
    this.#wanted = layout;
    if (this.#isAsking || this.isCurrent) return;
    this.#isAsking = true;
    this.#draw(this.#wanted).finally(() => {
      this.#isAsking = false;
      // A layout that changes all the time is drawn four times a second.
      setTimeout(() => this.show(this.#wanted), 250);
    });
  }

  /** Has what is shown drawn anew: the server that has drawn it may be another one now. */
  redraw() { this.#drawn = null; }

  async #draw({ number, screens, views, gestures }) {
    try {
      const answer = await this.#ask('draw', { screens, views, gestures });
      const parsed = new DOMParser().parseFromString(answer.svg, 'image/svg+xml');
      const svg = document.importNode(parsed.documentElement, true);
      svg.setAttribute('aria-hidden', 'true');
      this.#svg?.remove();
      this.#place.prepend(svg);
      [this.#svg, this.#drawing] = [svg, answer.drawing];
      this.#groups = [...svg.querySelectorAll('g.screen')];
      this.#complaint.hidden = true;
      this.#under = null;
    } catch (error) {
      this.#complaint.textContent = error.message;
      this.#complaint.hidden = false;
    }
    this.firstDrawing ??= performance.now();
    this.#drawn = number;
  }

  // Points of a screen, and points of the page.

  get #matrices() {
    const corner = this.#place.getBoundingClientRect();
    return this.#groups.map((group) => {
      const matrix = group.getScreenCTM();
      return {
        a: matrix.a, d: matrix.d,
        e: matrix.e - corner.left - this.#place.clientLeft,
        f: matrix.f - corner.top - this.#place.clientTop,
      };
    });
  }

  /** The place on a screen of an event; null beside all of them. */
  #placeOf(event, screens) {
    const corner = this.#place.getBoundingClientRect();
    for (const [screen, matrix] of this.#matrices.entries()) {
      const x = (event.clientX - corner.left - matrix.e) / matrix.a;
      const y = (event.clientY - corner.top - matrix.f) / matrix.d;
      const [width, height] = screens[screen]?.size ?? [0, 0];
      if (x >= 0 && y >= 0 && x < width && y < height) return { screen, x, y };
    }
    return null;
  }

  #move(event) {
    const over = document.elementFromPoint(event.clientX, event.clientY);
    this.#markUnder(over?.closest('[data-path]')?.getAttribute('data-path') ?? null);
    if (!this.#isDown) return;
    const place = this.#placeOf(event, this.#wanted?.screens ?? []);
    if (place) this.onFinger?.({ phase: 'moved', ...place });
  }

  #markUnder(path) {
    const group = path === null
      ? null : this.#svg?.querySelector(`g.view[data-path="${CSS.escape(path)}"]`) ?? null;
    if (group === this.#under) return;
    this.#under?.classList.remove('under');
    group?.classList.add('under');
    this.#under = group;
    this.onOver(group ? path : null);
  }

  #press(event) {
    if (event.button !== 0) return;
    const place = this.#placeOf(event, this.#wanted?.screens ?? []);
    if (!place) return;
    if (!this.onFinger) return this.#hit(place);
    this.#isDown = true;
    this.#place.setPointerCapture(event.pointerId);
    this.onFinger({ phase: 'began', ...place });
  }

  #lift(event, phase) {
    if (!this.#isDown) return;
    this.#isDown = false;
    this.onFinger?.({ phase, ...(this.#placeOf(event, this.#wanted.screens) ?? {
      screen: 0, x: 0, y: 0,
    }) });
  }

  /** Cancels the finger that the mouse is, if it is down. */
  cancelFinger() {
    if (!this.#isDown) return;
    this.#isDown = false;
    this.onFinger?.({ phase: 'cancelled', screen: 0, x: 0, y: 0 });
  }

  #hit(place) {
    this.#cross = place;
    this.onHit({ drawing: this.#drawing, ...place });
  }

  #key(event) {
    const steps = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const screens = this.#wanted?.screens ?? [];
    if (screens.length === 0) return;
    this.#cross ??= { screen: 0, x: screens[0].size[0] / 2, y: screens[0].size[1] / 2 };
    const step = steps[event.key];
    if (step) {
      const length = event.shiftKey ? 1 : 10;
      const [width, height] = screens[this.#cross.screen].size;
      const x = this.#cross.x + step[0] * length;
      const y = this.#cross.y + step[1] * length;
      this.#cross = {
        screen: this.#cross.screen,
        x: Math.min(Math.max(x, 0), width - 1), y: Math.min(Math.max(y, 0), height - 1),
      };
    } else if (event.key === 'PageDown' || event.key === 'PageUp') {
      const count = screens.length;
      const screen = (this.#cross.screen + (event.key === 'PageUp' ? count - 1 : 1)) % count;
      this.#cross = { screen, x: screens[screen].size[0] / 2, y: screens[screen].size[1] / 2 };
    } else if (event.key === 'Enter') {
      this.#hit(this.#cross);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Draws what moves. */
  paint(state, time) {
    const { clientWidth: width, clientHeight: height } = this.#place;
    const ratio = window.devicePixelRatio;
    if (this.#canvas.width !== Math.round(width * ratio)
      || this.#canvas.height !== Math.round(height * ratio)) {
      [this.#canvas.width, this.#canvas.height] =
        [Math.round(width * ratio), Math.round(height * ratio)];
      this.#canvas.style.width = `${width}px`;
      this.#canvas.style.height = `${height}px`;
    }
    const context = this.#canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const matrices = this.#matrices;
    const toPage = (screen, x, y) => {
      const matrix = matrices[screen];
      return matrix ? [matrix.a * x + matrix.e, matrix.d * y + matrix.f] : null;
    };
    if (this.heat) this.#paintHeat(context, matrices);
    for (const touch of state.touches.values()) {
      const age = touch.ended ? time - touch.ended : 0;
      if (touch.at && age < fadeTime) this.#paintTouch(context, touch, time, age, toPage);
    }
    if (this.#cross) this.#paintCross(context, toPage);
  }

  #paintTouch(context, touch, time, age, toPage) {
    const look = this.#programs.look(ownerOf(touch));
    const here = toPage(touch.screen, ...touch.at);
    if (!here) return;
    context.globalAlpha = touch.ended ? 1 - age / fadeTime : 1;
    const trail = touch.trail.filter((point) => time - point[0] < trailTime + age)
      .map(([, x, y]) => toPage(touch.screen, x, y));
    context.setLineDash(touch.cancel_reason ? [6, 6] : look.dash);
    context.lineJoin = 'round';
    for (const [width, color] of [[7, '#ffffff'], [4, look.color]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.beginPath();
      trail.forEach(([x, y], index) => {
        if (index === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      });
      context.stroke();
    }
    drawMark(context, look, ...here, touch.ended ? 9 : 12);
    if (touch.cancel_reason) {
      context.lineWidth = 2;
      context.strokeStyle = '#000000';
      context.beginPath();
      context.moveTo(here[0] - 8, here[1] - 8);
      context.lineTo(here[0] + 8, here[1] + 8);
      context.stroke();
    }
    context.font = 'bold 12px "DejaVu Sans", sans-serif';
    context.lineWidth = 3;
    context.strokeStyle = '#ffffff';
    context.fillStyle = '#000000';
    const words = `${touch.id}${touch.gesture ? ` ${touch.gesture.replace(/.*#/, '#')}` : ''}`;
    context.strokeText(words, here[0] + 14, here[1] - 8);
    context.fillText(words, here[0] + 14, here[1] - 8);
    context.globalAlpha = 1;
  }

  #paintHeat(context, matrices) {
    for (const { screen, x, y, size, share } of this.heat.cells) {
      const matrix = matrices[screen];
      if (!matrix) continue;
      // Lightness and opacity say the same as the hue.
      context.fillStyle = `hsl(${50 - 50 * share} 100% ${60 - 30 * share}%)`;
      context.globalAlpha = 0.25 + 0.6 * share;
      context.fillRect(
        matrix.a * x + matrix.e, matrix.d * y + matrix.f, matrix.a * size, matrix.d * size);
    }
    context.globalAlpha = 1;
  }

  #paintCross(context, toPage) {
    const here = toPage(this.#cross.screen, this.#cross.x, this.#cross.y);
    if (!here) return;
    context.setLineDash([]);
    for (const [width, color] of [[5, '#ffffff'], [2, '#d00020']]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.beginPath();
      context.moveTo(here[0] - 14, here[1]);
      context.lineTo(here[0] + 14, here[1]);
      context.moveTo(here[0], here[1] - 14);
      context.lineTo(here[0], here[1] + 14);
      context.stroke();
    }
  }
}
