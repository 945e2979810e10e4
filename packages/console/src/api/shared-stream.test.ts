import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type StreamNotice, shareStream, type Tabs } from './shared-stream.ts';

interface Stream {
  readonly tab: string;
  readonly notify: (notice: StreamNotice) => void;
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

let browsers = 0;

/** Creates a browser whose tabs follow one stream. The locks and channels are those of Node.js. */
function browser(tabs: Partial<Tabs> = {}) {
  const name = `stream ${++browsers}`;
  const open: Stream[] = [];
  const follow = (tab: string) => {
    const received: StreamNotice[] = [];
    const stop = shareStream(
      name,
      { locks: navigator.locks, channel: (of) => new BroadcastChannel(of), ...tabs },
      (notify) => {
        const stream = { tab, notify };
        open.push(stream);
        return () => void open.splice(open.indexOf(stream), 1);
      },
      (notice) => received.push(notice),
    );
    stops.push(stop);
    return { received, stop };
  };
  const opened = () => open.map(({ tab }) => tab);
  const notify = (notice: StreamNotice) => open[0]?.notify(notice);
  return { follow, opened, notify };
}

/** Waits until a condition holds. Locks and channels need several turns of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}

const OPENED = { kind: 'opened', id: 'a' } as const;
const EVENT = { kind: 'event', data: '{}' } as const;

test('all tabs of a browser follow one stream', async () => {
  const { follow, opened, notify } = browser();
  const tabs = ['first', 'second', 'third'].map(follow);
  await until(() => opened().length > 0);
  notify(OPENED);
  notify(EVENT);
  for (const { received } of tabs) {
    await until(() => received.length === 2);
    assert.deepEqual(received, [OPENED, EVENT]);
  }
  assert.deepEqual(opened(), ['first']);
});

test('the next tab opens the stream when the first one stops', async () => {
  const { follow, opened, notify } = browser();
  const [first, second] = [follow('first'), follow('second')];
  await until(() => opened().length > 0);
  first.stop();
  await until(() => opened()[0] === 'second');
  assert.deepEqual(opened(), ['second']);
  notify(EVENT);
  assert.deepEqual([first.received, second.received], [[], [EVENT]]);
});

test('a later tab learns whether the stream is open', async () => {
  const { follow, opened, notify } = browser();
  follow('first');
  await until(() => opened().length > 0);
  notify(OPENED);
  const second = follow('second');
  await until(() => second.received.length > 0);
  assert.deepEqual(second.received, [OPENED]);
  notify({ kind: 'lost' });
  await until(() => second.received.length > 1);
  const third = follow('third');
  notify(EVENT);
  await until(() => third.received.length > 0);
  assert.deepEqual(third.received, [EVENT]);
});

test('a tab that stops before its turn opens no stream', async () => {
  const { follow, opened } = browser();
  const [first, second] = [follow('first'), follow('second')];
  second.stop();
  const third = follow('third');
  await until(() => opened().length > 0);
  first.stop();
  await until(() => opened()[0] === 'third');
  assert.deepEqual([second.received, third.received], [[], []]);
});

test('each tab opens its own stream if the browser has no locks', () => {
  const { follow, opened, notify } = browser({ locks: undefined });
  const [first, second] = [follow('first'), follow('second')];
  assert.deepEqual(opened(), ['first', 'second']);
  notify(EVENT);
  assert.deepEqual([first.received, second.received], [[EVENT], []]);
  first.stop();
  assert.deepEqual(opened(), ['second']);
});
