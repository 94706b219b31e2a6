// Beside the screens: what is so, in words and numbers.

import { drawMark } from './programs.js';
import { nameOf, ownerOf, programOf } from './record.js';

/** An element with children, which are elements or text. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function table(titles, rows) {
  const cell = (name, value) => {
    const attributes = typeof value === 'number' ? { class: 'number' } : {};
    return make(name, attributes, value instanceof Node ? value : `${value}`);
  };
  return make(
    'table', {}, make('tr', {}, ...titles.map((title) => make('th', {}, title))),
    ...rows.map((row) => make('tr', {}, ...row.map((value) => cell('td', value)))));
}

/** Puts other children into a place, if they say something else. What has the focus keeps it. */
function put(place, ...children) {
  const next = make('div', {}, ...children);
  if (next.textContent === place.textContent) return;
  const focused = place.contains(document.activeElement)
    ? document.activeElement.closest('[data-touch]')?.getAttribute('data-touch') : undefined;
  place.replaceChildren(...next.childNodes);
  if (focused) place.querySelector(`[data-touch="${focused}"] summary`)?.focus();
}

const round = (number) => Math.round(number * 10) / 10;
const point = (at) => `(${round(at[0])}, ${round(at[1])})`;

const outcomes = {
  no_client: 'no program holds it',
  not_handled: 'its program does not handle this phase',
  unresponsive: 'its program does not read',
  declined: 'its program has declined it',
};

/** Words for what is beside the screens. */
export class Beside {
  #programs;
  #places;

  constructor(programs) {
    this.#programs = programs;
    this.#places = Object.fromEntries(
      ['hit', 'touches', 'recognizers', 'programs', 'latency', 'counters']
        .map((id) => [id, document.getElementById(id)]));
  }

  #mark(program) {
    const canvas = make('canvas', { class: 'mark', width: 28, height: 28, 'aria-hidden': 'true' });
    drawMark(canvas.getContext('2d'), this.#programs.look(program), 14, 14, 10);
    return canvas;
  }

  #program(program) {
    return make('span', {}, this.#mark(program), ` ${nameOf(program)}`);
  }

  /** What is under the pointer, and what a touch would hit. */
  showHit(over, hit, state) {
    const lines = [];
    if (over !== null) lines.push(make('p', {}, 'Under the pointer: ', make('code', {}, over)));
    if (hit?.error) lines.push(make('p', { class: 'warning' }, hit.error));
    if (hit?.point) {
      const place = `At ${point(hit.point)} on ${hit.screen}: `;
      lines.push(make('p', {}, place, hit.target ? make('code', {}, hit.target) : 'nothing'));
      const holders = (path) => [...state.holders.values()].filter((item) => item.path === path);
      lines.push(make('ul', {}, ...hit.chain.map((path) => make(
        'li', {}, make('code', {}, path),
        ...holders(path).map((item) => make('span', {}, ' ', this.#program(programOf(item))))))));
      lines.push(...(hit.gestures ?? []).map((gesture) => make(
        'p', {}, `${gesture.path}: ${gesture.kind}`,
        gesture.takes_no_part ? `; takes no part: ${gesture.takes_no_part}` : '')));
    }
    if (lines.length === 0) lines.push(make('p', { class: 'faint' }, 'Click on a screen to ask.'));
    put(this.#places.hit, ...lines);
  }

  /** The latest touches, each with its chain and why. */
  showTouches(state) {
    const touches = [...state.touches.values()].reverse();
    touches.sort((one, other) => Number(Boolean(one.ended)) - Number(Boolean(other.ended)));
    const items = touches.slice(0, 12).map((touch) => {
      const owner = ownerOf(touch);
      const words = touch.cancel_reason ? `cancelled: ${touch.cancel_reason}` : touch.phase;
      const place = touch.at ? point(touch.at) : 'in a secure view';
      const item = make(
        'details', { 'data-touch': `${touch.id}` },
        make('summary', {}, this.#mark(owner),
          ` ${touch.id} ${words} ${place}, ${nameOf(owner)}`),
        make('p', {}, 'Hit ', make('code', {}, touch.target ?? 'nothing'),
          touch.discard ? `; no program gets it: ${touch.discard}` : ''),
        make('ul', {}, ...touch.chain.map((link) => make(
          'li', {}, make('code', {}, link.path), ': ', this.#link(link)))),
        ...(touch.gesture ? [make('p', {}, 'Taken by ', make('code', {}, touch.gesture))] : []),
        ...touch.decisions.map((decision) => make(
          'p', {}, `${nameOf(decision.program)} has ${decision.event} it`)));
      // What a person has opened stays so.
      item.open = this.#opened.has(touch.id) || (this.#opened.size === 0 && touch === touches[0]);
      item.querySelector('summary').addEventListener('click', () => {
        if (item.open) this.#opened.delete(touch.id);
        else this.#opened.add(touch.id);
      });
      return item;
    });
    if (items.length === 0) items.push(make('p', { class: 'faint' }, 'No touch yet.'));
    put(this.#places.touches, ...items);
  }

  #opened = new Set();

  #link(link) {
    if (link.phases?.length) return `${nameOf(link.program)} gets ${link.phases.join(', ')}`;
    return outcomes[link.outcome] ?? link.outcome;
  }

  /** What recognizers came to, and how far they are. */
  showRecognizers(state, time) {
    const live = [...state.touches.values()].filter((touch) => !touch.ended);
    const rows = state.layout.gestures.map((gesture) => {
      const known = state.recognizers.get(gesture.path);
      const words = known
        ? `${known.state}${known.reason ? `: ${known.reason}` : ''}` : '';
      return [gesture.path, gesture.kind, words, this.#progress(gesture, live, time)];
    });
    put(this.#places.recognizers, rows.length
      ? table(['', 'kind', 'came to', 'now'], rows)
      : make('p', { class: 'faint' }, 'The layout has none.'));
  }

  /** How far the touches on a recognizer's view are from what it asks for. */
  #progress(gesture, live, time) {
    const owner = gesture.path.split('#')[0];
    const touches = live.filter((touch) => touch.start
      && (owner.startsWith('screen:') || touch.chain.some((link) => link.path === owner)
        || touch.target?.startsWith(`${owner}/`) || touch.target === owner));
    if (touches.length === 0) return '';
    const way = Math.max(...touches.map((touch) => Math.hypot(
      touch.at[0] - touch.start[0], touch.at[1] - touch.start[1])));
    const span = make('span', {}, `${touches.length} of ${gesture.touches.join(' to ')} fingers`);
    const limit = gesture.distance ?? gesture.slop;
    if (limit) {
      span.append(make('br', {}), `${round(way)} of ${limit} points `, make(
        'meter', { min: 0, max: limit, value: Math.min(way, limit) }));
    }
    if (gesture.duration_ms) {
      const age = (time - Math.min(...touches.map((touch) => touch.began))) / 1000;
      span.append(make('br', {}), `${Math.round(age)} of ${gesture.duration_ms} ms `, make(
        'meter', { min: 0, max: gesture.duration_ms, value: Math.min(age, gesture.duration_ms) }));
    }
    return span;
  }

  /** Who holds what, and how far behind each is. */
  showPrograms(state, status) {
    const clients = new Map(status?.clients.map((client) => [client.client, client]));
    const holdings = new Map();
    for (const holder of state.holders.values()) {
      const holding = holdings.get(holder.client) ?? { holder, paths: [] };
      holding.paths.push(holder.path);
      holdings.set(holder.client, holding);
    }
    const rows = [...holdings].map(([number, { holder, paths }]) => {
      const client = clients.get(number);
      const program = this.#program(programOf(holder));
      if (state.silent.has(number)) {
        program.append(' ', make('strong', { class: 'warning' }, 'does not read'));
      }
      return [
        program, paths.join(', '), client?.queued_bytes ?? '', client?.unread_bytes ?? '',
        client?.coalesced ?? '',
      ];
    });
    put(this.#places.programs, rows.length
      ? table(['program', 'holds', 'queued', 'unread', 'merged'], rows)
      : make('p', { class: 'faint' }, 'No program holds anything.'));
  }

  /** The daemon's numbers, which a record does not have. */
  showStatus(status) {
    const none = make('p', { class: 'faint' }, 'Only a running daemon knows.');
    if (!status) {
      put(this.#places.latency, none);
      put(this.#places.counters, none.cloneNode(true));
      return;
    }
    const steps = status.latencies.steps;
    const most = Math.max(1, ...steps.map((step) => step.frames));
    put(this.#places.latency, steps.length ? table(
      ['below', 'frames', ''],
      steps.map((step) => [
        step.below_us ? `${step.below_us} µs` : 'more', step.frames,
        make('meter', { min: 0, max: most, value: step.frames }),
      ])) : make('p', { class: 'faint' }, 'No frame was sent yet.'));
    const counters = Object.entries(status.counters).filter(([, count]) => count > 0);
    put(this.#places.counters, table(['', ''], counters));
  }

  /** Touches by view. */
  showHeat(heat) {
    const place = document.getElementById('heat-views');
    place.hidden = heat === null;
    if (!heat) return;
    const secure = heat.secure ? `; ${heat.secure} on secure views are left out` : '';
    put(
      place.querySelector('div'), make('p', {}, `${heat.touches} touches${secure}`),
      table(['view', 'touches'], heat.views));
  }
}
