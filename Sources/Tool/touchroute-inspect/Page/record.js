// A record as docs/record.md has it: its lines, and what was so at any moment.

/** What is so at a moment. */
class State {
  constructor(from) {
    this.layout = from?.layout ?? { number: 0, screens: [], views: [], gestures: [] };
    // Attachments, by their numbers.
    this.holders = new Map(from?.holders);
    // Clients that do not read.
    this.silent = new Set(from?.silent);
    // What recognizers came to last, by their paths.
    this.recognizers = new Map(from?.recognizers);
    this.touches = new Map();
    for (const [id, touch] of from?.touches ?? []) {
      this.touches.set(id, { ...touch, trail: touch.trail.slice() });
    }
  }

  apply(event, time) {
    switch (event.event) {
      case 'layout': this.#applyLayout(event); break;
      case 'frame': for (const touch of event.touches) this.#applyTouch(touch, event, time); break;
      case 'gesture': this.#applyGesture(event, time); break;
      case 'attached': this.holders.set(event.attachment, event); break;
      case 'detached': this.holders.delete(event.attachment); break;
      case 'gone':
        for (const [number, holder] of this.holders) {
          if (holder.client === event.client) this.holders.delete(number);
        }
        this.silent.delete(event.client);
        break;
      case 'lost': this.#applyLoss(time); break;
      case 'unresponsive': this.silent.add(event.client); break;
      case 'responsive': this.silent.delete(event.client); break;
      case 'accepted':
      case 'declined': {
        const touch = this.touches.get(event.touch);
        const program = programOf(this.holders.get(event.attachment) ?? event);
        if (touch) touch.decisions = [...touch.decisions, { event: event.event, program }];
        break;
      }
    }
  }

  #applyLayout(event) {
    if (event.unread) {
      if (event.screens) this.#applyScreens(event.screens);
      return;
    }
    const views = event.whole ? event.views.slice() : this.layout.views.slice();
    if (!event.whole) {
      for (const path of event.removed ?? []) {
        const index = views.findIndex((view) => view.path === path);
        if (index >= 0) views.splice(index, 1);
      }
      for (const view of event.views ?? []) put(views, view);
    }
    State.layouts += 1;
    this.layout = {
      number: State.layouts, screens: event.screens ?? this.layout.screens, views,
      gestures: event.gestures ?? this.layout.gestures,
    };
  }

  /** The views are not known: those that were on a screen that is gone go. */
  #applyScreens(screens) {
    const names = new Set(screens.map((screen) => screen.name));
    const windows = new Set(this.layout.views.filter((view) => names.has(view.screen))
      .map((view) => view.path));
    State.layouts += 1;
    this.layout = {
      ...this.layout, number: State.layouts, screens,
      views: this.layout.views.filter((view) => windows.has(view.path.split('/')[0])),
    };
  }

  /** What fingers and recognizers have done meanwhile is not known: a finger that is still down
   * comes again with its next move. */
  #applyLoss(time) {
    for (const touch of this.touches.values()) touch.ended ??= time;
    this.recognizers.clear();
  }

  #applyGesture(event, time) {
    this.recognizers.set(event.path, { ...event, time });
    const touch = this.touches.get(event.touch);
    if (touch && (event.state === 'began' || event.state === 'recognized')) {
      touch.gesture = event.path;
    }
  }

  #applyTouch(change, frame, time) {
    let touch = this.touches.get(change.id);
    if (change.phase === 'began' || !touch) {
      touch = {
        ...change, screen: frame.screen, device: frame.device, began: time, start: change.at,
        trail: [], decisions: [],
        chain: (change.chain ?? []).map((link) => (
          { ...link, program: programOf(this.holders.get(link.attachment) ?? link) })),
      };
      // The latest stands last. Another daemon may use a number again.
      this.touches.delete(change.id);
      this.touches.set(change.id, touch);
    }
    touch.phase = change.phase;
    touch.time = time;
    if (change.at) {
      touch.at = change.at;
      touch.trail.push([time, ...change.at]);
      if (touch.trail.length > 240) touch.trail.splice(0, 60);
    }
    if (change.discard_reason && change.phase === 'began') touch.discard = change.discard_reason;
    touch.cancel_reason ??= change.cancel_reason;
    // Of a touch that is cancelled the finger may still be down.
    touch.ended = change.phase === 'ended' || change.phase === 'cancelled' ? time : undefined;
    if (this.touches.size <= 24) return;
    for (const [id, other] of this.touches) {
      if (other.ended && this.touches.size > 24) this.touches.delete(id);
    }
  }
}
State.layouts = 0;

/** Puts a view in its place: one that is new comes in front of all others of its superview. */
function put(views, view) {
  const index = views.findIndex((other) => other.path === view.path);
  if (index >= 0) {
    views[index] = view;
    return;
  }
  const slash = view.path.lastIndexOf('/');
  const superview = view.path.slice(0, Math.max(slash, 0));
  const last = slash < 0 ? -1 : views.findLastIndex(
    (other) => other.path === superview || other.path.startsWith(`${superview}/`));
  views.splice(last < 0 ? views.length : last + 1, 0, view);
}

/** The program of what has its process, and perhaps its connection and name; null for none. */
export function programOf({ client, pid, name }) {
  if (pid == null) return null;
  return { key: client == null ? `process ${pid}` : `client ${client}`, pid, name };
}

/** What a program is called. */
export function nameOf(program) {
  if (program === null) return 'no program';
  return program.name ? `${program.name} (${program.pid})` : `pid ${program.pid}`;
}

/** The program that gets a touch first; null where none does. */
export function ownerOf(touch) {
  return touch.chain.find((link) => link.phases?.length)?.program ?? null;
}

/** What is wrong with a first line; null where it is a record's. */
function problem(header) {
  if (header?.format !== 'touchroute-record') return 'this is no record of touchroute';
  if (header.version !== 1) {
    return `this record is of version ${header.version}, and the page reads version 1`;
  }
  return null;
}

// As touchroute play has it: no clock has more, and here every number below is exact.
const latestTime = 2 ** 53;

/** Whether a line behind the first is one that a record may have. Others may have written it. */
function isLine(event) {
  if (typeof event?.event !== 'string') return false;
  const time = event.time_us ?? 0;
  if (!(time >= 0 && time <= latestTime)) return false;
  if (event.event === 'gesture') {
    return typeof event.path === 'string' && typeof event.state === 'string';
  }
  return event.event !== 'frame' || (Array.isArray(event.touches) && event.touches.every(isTouch));
}

function isTouch(touch) {
  return Number.isFinite(touch?.id) && typeof touch.phase === 'string'
    && (touch.at === undefined || (Array.isArray(touch.at) && touch.at.length === 2
      && touch.at.every(Number.isFinite)));
}

/** A record, which may still grow. */
export class Recording {
  // So many lines of what happens are kept, and as many of a file.
  static most = 400_000;
  static #stride = 2000;

  entries = [];
  // For the time line: touches, and what came of recognizers.
  spans = [];
  marks = [];
  lost = 0;
  secure = 0;
  #header = null;
  #base = new State();
  #latest = new State();
  #checkpoints = [];
  #cursor = null;
  #open = new Map();
  // What is added to times: those of a machine that was started anew begin at 0.
  #shift = 0;
  #machine = null;
  // Whether the latest loss is in the record already.
  #isLost = false;

  get started() { return this.#header !== null; }
  get latest() { return this.#latest; }
  get from() { return this.entries[0]?.time ?? this.#header?.time_us ?? 0; }
  get to() { return this.entries.at(-1)?.time ?? this.#header?.time_us ?? 0; }

  /** Adds a line; the first is the header. Throws a sentence where it can't. */
  append(text) {
    let event;
    try { event = JSON.parse(text); } catch { throw new Error('this is no line of a record'); }
    if (!this.#header) return this.#begin(event);
    if (!isLine(event)) throw new Error('this is no line of a record');
    this.add(event, text);
  }

  #begin(header) {
    const wrong = problem(header);
    if (wrong) throw new Error(wrong);
    if (!Array.isArray(header.screens)) throw new Error('the record has no screens');
    this.#header = header;
    for (const state of [this.#base, this.#latest]) {
      state.apply({ event: 'layout', whole: true, screens: header.screens,
        views: header.views ?? [], gestures: header.gestures ?? [] });
    }
    this.#base.layout = this.#latest.layout;
  }

  /** Adds what has happened. */
  add(event, text) {
    // A frame has the kernel's time, which may lie before what the daemon did meanwhile.
    const time = Math.max((event.time_us ?? 0) + this.#shift, this.to);
    if (this.entries.length % Recording.#stride === 0) {
      this.#checkpoints.push({ index: this.entries.length, state: new State(this.#latest) });
    }
    const line = this.#shift === 0 ? text : JSON.stringify({ ...event, time_us: time });
    this.entries.push({ time, event, text: line });
    this.#latest.apply(event, time);
    if (event.event === 'frame') this.#note(event, time);
    if (event.event === 'gesture') this.marks.push({ time, event });
    if (event.event === 'lost') {
      this.lost += event.count ?? 0;
      for (const span of this.#open.values()) span.to = time;
      this.#open.clear();
    }
    if (this.entries.length > Recording.most) this.#forget(Recording.most / 10);
  }

  #note(frame, time) {
    for (const change of frame.touches) {
      if (change.phase === 'began') {
        const touch = this.#latest.touches.get(change.id);
        const span = { id: change.id, from: time, to: null, program: ownerOf(touch) };
        this.spans.push(span);
        this.#open.set(change.id, span);
        if (change.flags?.includes('secure')) this.secure += 1;
      } else if (change.phase === 'moved') {
        const touch = this.#latest.touches.get(change.id);
        // Of one that is cancelled the finger may still move.
        if (this.#open.has(change.id) || touch.cancel_reason) continue;
        // It goes on after a loss.
        const span = { id: change.id, from: time, to: null, program: ownerOf(touch) };
        this.spans.push(span);
        this.#open.set(change.id, span);
      } else {
        const span = this.#open.get(change.id);
        if (span) Object.assign(span, { to: time, cancelled: change.phase === 'cancelled' });
        this.#open.delete(change.id);
      }
    }
  }

  #forget(count) {
    const start = Math.ceil(count / Recording.#stride) * Recording.#stride;
    this.#base = this.#stateBefore(start);
    this.entries.splice(0, start);
    this.#checkpoints = this.#checkpoints.filter(({ index }) => index >= start)
      .map(({ index, state }) => ({ index: index - start, state }));
    this.#cursor = null;
    this.spans = this.spans.filter((span) => span.to === null || span.to >= this.from);
    this.marks = this.marks.filter((mark) => mark.time >= this.from);
  }

  /** Something is missing from here on: so many messages, where that is known. */
  lose(count) {
    if (this.#isLost) return;
    this.#isLost = true;
    const time = this.to - this.#shift;
    const clients = new Set([...this.#latest.holders.values()].map((holder) => holder.client));
    const add = (event) => this.add(event, JSON.stringify(event));
    add({ event: 'lost', time_us: time, count });
    for (const client of clients) add({ event: 'gone', time_us: time, client });
  }

  /** Begins, or goes on with what a server tells again: what is now, and perhaps some of what is
   * known. The machine is its name since it was started. */
  resume(lines, machine, count) {
    const isAgain = this.started;
    const header = JSON.parse(lines[0]);
    const isSame = this.#machine === machine;
    this.#machine = machine;
    if (!isAgain) {
      for (const line of lines) this.append(line);
      return;
    }
    const known = this.to - this.#shift;
    const isWhole = isSame && !this.#isLost && count === undefined && header.time_us <= known;
    if (!isWhole) this.lose(count);
    this.#isLost = false;
    if (!isSame) this.#shift = this.to - header.time_us;
    const from = isSame ? known : -1;
    if (!isWhole) {
      const layout = {
        event: 'layout', time_us: Math.max(header.time_us, from), whole: true,
        screens: header.screens, views: header.views, gestures: header.gestures,
      };
      this.add(layout, JSON.stringify(layout));
    }
    let isStart = true;
    for (const line of lines.slice(1)) {
      const event = JSON.parse(line);
      isStart &&= event.event === 'attached';
      if (isStart ? !isWhole : event.time_us > from) this.add(event, line);
    }
  }

  /** The index of the first entry after a time. */
  indexAfter(time) {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle].time <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What was so at a time. */
  at(time) {
    const index = this.indexAfter(time);
    if (index === this.entries.length) return this.#latest;
    if (this.#cursor && this.#cursor.index <= index && index - this.#cursor.index < 4000) {
      this.#play(this.#cursor, index);
    } else {
      this.#cursor = { index, state: this.#stateBefore(index) };
    }
    return this.#cursor.state;
  }

  #stateBefore(index) {
    const checkpoint = this.#checkpoints.findLast((other) => other.index <= index);
    const cursor = {
      index: checkpoint?.index ?? 0, state: new State(checkpoint?.state ?? this.#base),
    };
    this.#play(cursor, index);
    return cursor.state;
  }

  #play(cursor, index) {
    for (; cursor.index < index; cursor.index += 1) {
      const { event, time } = this.entries[cursor.index];
      cursor.state.apply(event, time);
    }
  }

  /** All of it as the text of a record. */
  get text() {
    const { screens, views, gestures } = this.#base.layout;
    const header = { ...this.#header, time_us: this.from, screens, views, gestures, whole: true };
    const holders = [...this.#base.holders.values()];
    return [header, ...holders].map((value) => JSON.stringify(value))
      .concat(this.entries.map((entry) => entry.text), '').join('\n');
  }
}
