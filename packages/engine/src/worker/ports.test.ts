import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { deserialize } from 'bson';
import { FILE_NAME } from '../storage/file/format.ts';
import { eachReply } from './parcel.ts';
import type {
  ControlAnswer,
  ControlMessage,
  RepliesMessage,
  RequestsMessage,
  WireReply,
} from './protocol.ts';
import { admin, CLUSTER_ID, info, sectionsOf } from './testing.ts';

describe('a query thread in a thread', () => {
  let dir: string;
  let thread: Worker;
  let port: MessagePort;

  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'ports-'));
    thread = new Worker(join(import.meta.dirname, 'thread.ts'));
    const channel = new MessageChannel();
    port = channel.port1;
    const connect: ControlMessage = { kind: 'connect', port: channel.port2 };
    thread.postMessage(connect, [channel.port2]);
  });

  after(async () => {
    port.close();
    await thread.terminate();
    rmSync(dir, { recursive: true });
  });

  async function control(message: ControlMessage): Promise<ControlAnswer> {
    thread.postMessage(message);
    for (;;) {
      const [answer]: ControlAnswer[] = await once(thread, 'message');
      // These messages are not replies: they are sent when a cluster opens, and after a slow statement.
      if (answer !== undefined && answer.kind !== 'accounts' && answer.kind !== 'observed') return answer;
    }
  }

  /** Sends commands in one message. Returns their replies by request id. */
  async function request(...commands: object[]) {
    const requests = commands.map((command, i) => ({
      requestId: i,
      clusterId: CLUSTER_ID,
      caller: { connectionId: i, remote: '', member: 'm0', user: admin },
      sections: sectionsOf(command),
    }));
    const message: RequestsMessage = { requests };
    port.postMessage(message);
    const replies: WireReply[] = [];
    while (replies.length < commands.length) {
      const [answer]: [RepliesMessage] = (await once(port, 'message')) as [RepliesMessage];
      eachReply(answer, (requestId, document) => replies.push({ requestId, document }));
    }
    return replies.toSorted((a, b) => a.requestId - b.requestId).map(({ document }) => deserialize(document));
  }

  it('opens a cluster, runs commands, and closes it', async () => {
    const open: ControlMessage = { kind: 'open', clusterId: CLUSTER_ID, files: { dir }, info };
    assert.deepEqual(await control(open), { kind: 'opened', clusterId: CLUSTER_ID });
    const pad = 'x'.repeat(100_000);
    const [inserted, pinged] = await request({ insert: 'c', documents: [{ _id: 1, pad }] }, { ping: 1 });
    assert.equal(inserted?.n, 1);
    assert.equal(pinged?.ok, 1);
    const [found] = await request({ find: 'c' });
    assert.deepEqual(found?.cursor.firstBatch, [{ _id: 1, pad }]);
    assert.deepEqual(await control({ kind: 'close', clusterId: CLUSTER_ID }), {
      kind: 'closed',
      clusterId: CLUSTER_ID,
    });
    const [refused] = await request({ ping: 1 });
    assert.equal(refused?.code, 91);
  });

  it('adopts the time that the operator sets', async () => {
    await control({ kind: 'open', clusterId: CLUSTER_ID, files: { dir }, info });
    const at = Date.UTC(2031, 0, 1);
    thread.postMessage({ kind: 'clock', setting: { at, since: 0, rate: 0 } } satisfies ControlMessage);
    const [status] = await request({ replSetGetStatus: 1, $db: 'admin' });
    assert.deepEqual(status?.date, new Date(at));
  });

  it('reports which file cannot be opened, and why', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'broken-'));
    writeFileSync(join(broken, FILE_NAME), 'not a database'.repeat(1000));
    const answer = await control({ kind: 'open', clusterId: 'other', files: { dir: broken }, info });
    rmSync(broken, { recursive: true });
    assert.equal(answer.kind, 'failed');
    assert.match(answer.kind === 'failed' ? answer.message : '', /cluster\.db is damaged/);
  });

  it('ends on a stop message', async () => {
    const exit = once(thread, 'exit');
    assert.deepEqual(await control({ kind: 'stop' }), { kind: 'stopped' });
    const [code] = await exit;
    assert.equal(code, 0);
  });
});
