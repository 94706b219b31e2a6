// The page of touchroute inspect: what comes from the server, what is shown of it, and the keys.

import { Beside } from './beside.js';
import { heatOf } from './heat.js';
import { Programs } from './programs.js';
import { Recording } from './record.js';
import { Screens } from './screens.js';
import { Timeline } from './timeline.js';

const element = (id) => document.getElementById(id);

/** Asks the server, with JSON; its answer, or an error that says why not. */
async function ask(what, body) {
  const response = await fetch(what, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response.json();
}

const programs = new Programs();
const screens = new Screens(element('screens'), programs, ask);
const timeline = new Timeline(element('timeline'), programs);
const beside = new Beside(programs);

// What happens now, and what is shown: that or a record.
const live = new Recording();
let shown = live;
let status = null;
let client = 0;
let arrival = 0;
// The moment that is looked at; null for the latest.
let moment = null;
let over = null;
let hit = null;
let missed = 0;
// What is said of what happens now, and of a record.
const notices = {
  live: { words: 'connecting', isWarning: false }, record: { words: '', isWarning: false },
};

function say(words, isWarning = false) { notices.record = { words, isWarning }; }
function sayLive(words, isWarning = false) { notices.live = { words, isWarning }; }

/** The latest moment: it goes on while nothing happens. */
function now() {
  if (shown !== live || arrival === 0) return shown.to;
  return live.to + (performance.now() - arrival) * 1000;
}

// From the server.

let events = null;
let machine = null;
// How many lines were lost, where the next record tells of now alone.
let behind;

/** Begins to hear what happens. */
function connect() {
  events = new EventSource('events');
  events.addEventListener('hello', (event) => {
    const hello = JSON.parse(event.data);
    [client, machine] = [hello.client, hello.machine];
    element('finger').hidden = !hello.input;
    screens.redraw();
    if (hello.file && !shown.started) openServed();
    others.postMessage(location.pathname);
  });
  events.addEventListener('record', (event) => {
    arrival = performance.now();
    live.resume(event.data.split('\n'), machine, behind);
    behind = undefined;
    sayLive('live');
  });
  events.addEventListener('behind', (event) => {
    behind = Number(event.data);
    missed += behind;
  });
  events.addEventListener('away', (event) => {
    if (live.started) live.lose();
    status = null;
    sayLive(`${event.data}; waiting for it`, true);
  });
  events.addEventListener('message', (event) => {
    const line = JSON.parse(event.data);
    if (line.event === 'status') {
      status = line.status;
      return;
    }
    arrival = performance.now();
    live.add(line, event.data);
  });
  events.addEventListener('error', () => {
    status = null;
    sayLive('touchroute inspect has ended, or is not reached; trying again', true);
    // The browser tries again by itself, but not where it was refused.
    if (events.readyState === EventSource.CLOSED) askWhy();
  });
}

/** Says why the server has refused to tell what happens, and tries again. */
async function askWhy() {
  const refused = events;
  const known = await fetch('page.css').then((answer) => answer.ok, () => null);
  if (known === false) {
    sayLive('touchroute inspect was started anew: open the address that it now prints, in this '
      + 'browser, and this page goes on too', true);
  } else if (known) {
    sayLive('as many pages are open as may be: close one', true);
  }
  setTimeout(() => { if (events === refused) connect(); }, 2000);
}

// Each start of the server has another address. A page of the new one tells those of the old.
const others = new BroadcastChannel('touchroute inspect');
others.addEventListener('message', ({ data }) => {
  const isUseful = events.readyState !== EventSource.OPEN && data !== location.pathname;
  if (!isUseful || !/^\/[0-9a-f]{32}\/$/.test(data)) return;
  history.replaceState(null, '', data);
  events.close();
  connect();
});
connect();

// Records.

/** Reads a record by the piece. */
async function read(stream, name) {
  const recording = new Recording();
  [shown, moment, hit] = [recording, null, null];
  element('live').hidden = !live.started;
  let rest = '';
  let number = 0;
  try {
    for await (const text of pieces(stream.pipeThrough(new TextDecoderStream()))) {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        number += 1;
        recording.append(line);
        if (number < Recording.most) continue;
        say(`${name} is longer than ${number} lines: this is its beginning`, true);
        return finish(recording);
      }
      say(`reading ${name}: ${number} lines`);
    }
    if (number === 0) throw new Error('this is no record of touchroute');
    say(rest === '' ? name : `${name}: the last line is not whole, and is left out`, rest !== '');
  } catch (error) {
    say(`${name}:${number}: ${error.message}`, true);
  }
  finish(recording);
}

async function* pieces(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function finish(recording) {
  timeline.shown = Math.max(recording.to - recording.from, 1_000_000) * 1.02;
  moment = recording.from;
}

async function openServed() {
  const response = await fetch('record');
  if (response.ok) await read(response.body, 'the record');
  else say((await response.text()).trim(), true);
}

function save() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([shown.text], { type: 'application/jsonl' }));
  link.download = 'touches.jsonl';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// What people do.

function stop(time) {
  moment = time === null ? null : Math.min(Math.max(time, shown.from), shown.to);
}

function toggleHeat() {
  const heat = screens.heat ? null : heatOf(shown);
  screens.heat = heat;
  beside.showHeat(heat);
}

element('stop').addEventListener('click', () => stop(moment === null ? now() : null));
element('heat').addEventListener('click', toggleHeat);
element('save').addEventListener('click', save);
element('live').addEventListener('click', () => {
  [shown, moment, hit] = [live, null, null];
  timeline.shown = 20_000_000;
  element('live').hidden = true;
});
const picker = /** @type {HTMLInputElement} */ (element('open'));
picker.addEventListener('change', () => {
  const [file] = picker.files;
  if (file) read(file.stream(), file.name);
  picker.value = '';
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) read(file.stream(), file.name);
});
timeline.onSeek = stop;
screens.onOver = (path) => { over = path; };
screens.onHit = async (place) => {
  try { hit = await ask('hit', place); } catch (error) { hit = { error: error.message }; }
};

// The mouse as a finger: one request at a time, and of moves that wait only the last.
const moves = [];
let isMoving = false;

async function sendMoves() {
  if (isMoving) return;
  isMoving = true;
  while (moves.length > 0) {
    const move = moves.shift();
    if (move.phase === 'moved' && moves[0]?.phase === 'moved') continue;
    try { await ask('input', { client, ...move }); } catch (error) { sayLive(error.message, true); }
  }
  isMoving = false;
}

const isFinger = element('finger').querySelector('input');
isFinger.addEventListener('change', () => {
  screens.cancelFinger();
  screens.onFinger = isFinger.checked ? (move) => {
    moves.push(move);
    sendMoves();
  } : null;
});

/** The moment of the next event, or of the one before. */
function neighbour(direction) {
  const time = moment ?? shown.to;
  const index = shown.indexAfter(time);
  if (direction > 0) return shown.entries[index]?.time ?? shown.to;
  const before = shown.entries.findLast((entry) => entry.time < time);
  return before?.time ?? shown.from;
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isControl = event.target instanceof Element
    && event.target.closest('button, input, summary, label');
  if (isControl && (event.key === ' ' || event.key === 'Enter')) return;
  const time = moment ?? now();
  const step = timeline.shown / 100;
  const actions = {
    ' ': () => stop(moment === null ? now() : null),
    ArrowLeft: () => stop(event.shiftKey ? neighbour(-1) : time - step),
    ArrowRight: () => stop(event.shiftKey ? neighbour(1) : time + step),
    Home: () => stop(shown.from),
    End: () => stop(null),
    '+': () => timeline.zoom(0.8),
    '-': () => timeline.zoom(1.25),
    h: toggleHeat,
    s: save,
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

// What is shown: what moves with every picture, words five times a second.

let pictures = 0;

function paint() {
  // First: whatever one picture meets, there is a next one.
  requestAnimationFrame(paint);
  pictures += 1;
  const time = moment ?? now();
  const state = shown.at(moment ?? shown.to);
  if (shown.started) {
    screens.show(state.layout);
    screens.paint(state, time);
    timeline.paint(shown, time, moment === null);
  }
}

function describe() {
  const state = shown.at(moment ?? shown.to);
  const isStopped = moment !== null;
  const { words, isWarning } = shown === live ? notices.live : notices.record;
  const counts = [
    words,
    isStopped ? `stopped at ${((moment - shown.from) / 1e6).toFixed(3)} s` : '',
    missed > 0 ? `this page was too slow for ${missed} lines` : '',
    shown.lost > 0 ? `${shown.lost} messages of the daemon were lost` : '',
  ].filter((part) => part !== '');
  const place = element('state');
  place.textContent = counts.join('; ');
  place.classList.toggle('warning', isWarning || missed > 0 || shown.lost > 0);
  element('stop').textContent = isStopped ? 'Go on' : 'Stop';
  element('stop').setAttribute('aria-pressed', `${isStopped}`);
  element('heat').setAttribute('aria-pressed', `${screens.heat !== null}`);
  if (shown.started) {
    beside.showHit(over, hit, state);
    beside.showTouches(state);
    beside.showRecognizers(state, moment ?? now());
    beside.showPrograms(state, shown === live ? status : null);
    beside.showStatus(shown === live ? status : null);
  }
}

// For the tests in a browser, and for its console.
window.inspector = {
  get firstDrawing() { return screens.firstDrawing; },
  get pictures() { return pictures; },
  get isCurrent() { return screens.isCurrent; },
  get lines() { return shown.entries.length; },
  get touches() { return [...shown.at(moment ?? shown.to).touches.values()]; },
};

requestAnimationFrame(paint);
setInterval(describe, 200);
describe();
