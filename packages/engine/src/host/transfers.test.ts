import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { clientOf } from '../client/call-client.ts';
import { type ControlConnection, connectToHost } from '../client/control-connection.ts';
import { CallTimedOut, ConnectionLost, EngineError } from '../client/errors.ts';
import { itemsIn } from '../client/items.ts';
import { type Bytes, type CallClient, type CallHandlers, call } from '../interface/call.ts';
import { type ControlServer, listenForControl } from './control-server.ts';

const MIB = 1024 * 1024;
const SIZE = 300 * MIB;
const TIMEOUT_MS = 60_000;

const table = {
  download: call<(name: string) => void>()('host', 'download', { timeoutMs: TIMEOUT_MS }),
  upload: call<(name: string) => { readonly bytes: number; readonly digest: string }>()('host', 'upload', {
    timeoutMs: TIMEOUT_MS,
    repeatable: false,
  }),
  list: call<(name: string) => readonly { readonly text: string }[]>()('host', 'list', {
    timeoutMs: TIMEOUT_MS,
  }),
  ping: call<() => string>()('host', 'value', { timeoutMs: TIMEOUT_MS }),
};

/** Items with a total size of 4 MB. */
const items = Array.from({ length: 2000 }, (_, n) => ({ text: `${n} ${'ü'.repeat(1000)}` }));

const piece = Buffer.alloc(MIB, 'tide ');
let sent = 0;
let taken = 0;
let cancelled = Promise.withResolvers<void>();

/** Yields bytes and counts them. The test checks that a slow reader pauses this generator. */
async function* pieces(total: number, failAt = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  for (sent = 0; sent < total; sent += piece.length) {
    if (sent >= failAt) throw new Error('the disk has a hole');
    yield piece;
  }
}

const calls: CallHandlers<typeof table> = {
  ping: () => 'pong',
  async *list(name) {
    if (name === 'missing') throw new Error('there is no such list');
    if (name === 'empty') return;
    const lines = Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    // The parts begin and end within lines, and within characters.
    for (let at = 0; at < lines.length; at += 9999) yield lines.subarray(at, at + 9999);
  },
  async *download(name, signal) {
    if (name === 'missing') throw new Error('there is no such file');
    if (name === 'broken') yield* pieces(SIZE, 5 * MIB);
    else if (name === 'stuck') {
      yield piece;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      cancelled.resolve();
    } else {
      try {
        yield* pieces(SIZE);
      } finally {
        cancelled.resolve();
      }
    }
  },
  async upload(name, bytes) {
    if (name === 'refused') throw new Error('the disk is full');
    const hash = createHash('sha256');
    taken = 0;
    try {
      for await (const part of bytes) {
        taken += part.length;
        hash.update(part);
      }
    } finally {
      cancelled.resolve();
    }
    return { bytes: taken, digest: hash.digest('hex') };
  },
};

/** The timers of the client's clock. The tests fire them. */
const due: Array<() => void> = [];
const clock: MachineClock = {
  ...machineClock(),
  after(_, run) {
    due.push(run);
    return () => void due.splice(due.indexOf(run), 1);
  },
};

let server: ControlServer;
/** A proxy between the client and the host. A test uses it to cut connections. */
let cable: Server;
let ends: Socket[] = [];
let connection: ControlConnection;
let host: CallClient<typeof table>;

before(async () => {
  const options = {
    token: 'token',
    settings: {
      dataDir: '/d',
      listen: '127.0.0.1',
      advertise: 'db.test',
      ports: { from: 1, to: 2, first: 1 },
      keyFolder: '/nowhere',
    },
    table,
    calls,
    random: systemRandom(),
    clock: machineClock(),
    log: silentLog(),
  };
  server = await listenForControl(options, { host: '127.0.0.1', port: 0 });
  cable = createServer((near) => {
    const far = connectSocket(server.port, '127.0.0.1');
    ends.push(near, far);
    for (const end of [near, far]) end.on('error', () => {});
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve));
  const { port } = cable.address() as { port: number };
  const endpoint = { host: '127.0.0.1', port, token: 'token' };
  connection = await connectToHost(endpoint, table, { random: systemRandom(), clock });
  host = clientOf(table, connection);
});
after(() => {
  connection.close();
  for (const end of ends) end.destroy();
  cable.close();
  server.close();
});

function cutTransfers(): void {
  // Destroy only the sockets of transfers. The first two sockets belong to the connection for calls.
  for (const end of ends.slice(2)) end.destroy();
  ends = ends.slice(0, 2);
}

/** Reads to the end. Calls `each` with the number of bytes read so far. */
async function readAll(
  bytes: Bytes,
  each: (total: number) => void = () => {},
): Promise<{ bytes: number; digest: string }> {
  const hash = createHash('sha256');
  let total = 0;
  for await (const part of bytes) {
    total += part.length;
    hash.update(part);
    each(total);
  }
  return { bytes: total, digest: hash.digest('hex') };
}

const whole = () => readAll(pieces(SIZE));

suite('transfers', () => {
  test('300 MiB arrive complete, and only a part of them is on the way at any time', async () => {
    const expected = await whole();
    let most = 0;
    const note = (received: number) => {
      most = Math.max(most, sent - received);
    };
    assert.deepEqual(await readAll(host.download('file'), note), expected);
    taken = 0;
    const noted = async function* () {
      for await (const part of pieces(SIZE)) {
        note(taken);
        yield part;
      }
    };
    assert.deepEqual(await host.upload('file', noted()), expected);
    assert.ok(most < 100 * MIB, `${Math.round(most / MIB)} MiB were on the way`);
  });

  test('lists arrive complete, and other work runs while they are parsed', async () => {
    const arrived = Buffer.concat(
      await Readable.from(calls.list('all', new AbortController().signal)).toArray(),
    );
    const whole = async function* () {
      yield arrived;
    };
    let isParsed = false;
    const parsing = itemsIn(whole()).finally(() => {
      isParsed = true;
    });
    let turns = 0;
    for (; !isParsed; turns++) await setImmediate();
    assert.deepEqual(await parsing, items);
    assert.ok(turns >= 2, `${turns} turns`);
    assert.deepEqual(await host.list('all'), items);
    assert.deepEqual(await host.list('empty'), []);
    await assert.rejects(host.list('missing'), { name: 'EngineError', message: 'there is no such list' });
  });

  test('a slow reader slows the sender down; calls continue', async () => {
    const reader = host.download('slow')[Symbol.asyncIterator]();
    await reader.next();
    for (let turn = 0; turn < 200; turn++) await host.ping();
    // The limit is above the total size of all buffers, which are those of three connections and the read-ahead.
    assert.ok(sent < 100 * MIB, `${sent / MIB} MiB were sent`);
    cancelled = Promise.withResolvers();
    await reader.return?.();
    await cancelled.promise;
    const held = sent;
    await host.ping();
    assert.equal(sent, held, 'the source is not read after the reader has closed');
  });

  test('an error in the middle arrives after the bytes before it', async () => {
    let got = 0;
    await assert.rejects(async () => {
      for await (const part of host.download('broken')) got += (part as Buffer).length;
    }, new EngineError('the disk has a hole'));
    assert.equal(got, 5 * MIB);
    await assert.rejects(readAll(host.download('missing')), new EngineError('there is no such file'));
  });

  test('a cut in the middle does not count as the end', async () => {
    let got = 0;
    await assert.rejects(async () => {
      for await (const part of host.download('file')) {
        got += (part as Buffer).length;
        if (got > 10 * MIB) cutTransfers();
      }
    }, ConnectionLost);
    assert.ok(got < SIZE);
    cancelled = Promise.withResolvers();
    taken = 0;
    const cut = async function* () {
      for await (const part of pieces(SIZE)) {
        if (taken > 10 * MIB) cutTransfers();
        yield part;
      }
    };
    await assert.rejects(host.upload('file', cut()), ConnectionLost);
    await cancelled.promise;
    assert.ok(taken < SIZE, 'the host does not regard a partial upload as complete');
  });

  test('a source that fails is the error of its upload, and the host sees no end', async () => {
    cancelled = Promise.withResolvers();
    await assert.rejects(host.upload('file', pieces(SIZE, 5 * MIB)), /the disk has a hole/);
    await cancelled.promise;
    assert.ok(taken <= 5 * MIB);
  });

  test('the error of an upload arrives even if the connection ends before more is sent', async () => {
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield piece;
      const closed = ends.slice(2).map((end) => end.destroyed || once(end, 'close'));
      await Promise.all(closed);
      yield piece;
    }
    await assert.rejects(host.upload('refused', slow()), new EngineError('the disk is full'));
  });

  test('a rejected upload ends before all of it is sent', async () => {
    await assert.rejects(host.upload('refused', pieces(SIZE)), new EngineError('the disk is full'));
    assert.ok(sent < SIZE);
  });

  test('a silent host times out, and its work is aborted', async () => {
    cancelled = Promise.withResolvers();
    const reader = host.download('stuck')[Symbol.asyncIterator]();
    let got = 0;
    const ended = assert.rejects(async () => {
      for (;;) {
        const { value, done } = await reader.next();
        if (done) return;
        got += value.length;
      }
    }, CallTimedOut);
    while (got < MIB) await setImmediate();
    for (const run of [...due]) run();
    await ended;
    await cancelled.promise;
  });
});
