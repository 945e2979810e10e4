import assert from 'node:assert/strict';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { RequestsMessage, WireRequest } from '../worker/protocol.ts';
import { RequestPort } from '../worker/request-port.ts';
import { WorkerLink } from './worker-link.ts';

const caller = { connectionId: 1, remote: '127.0.0.1:1', member: 'shard-00-00' };
const request = (sections: Uint8Array) => ({ clusterId: 'c1', caller, sections });
const ignored = { reply: () => {}, lost: () => {} };
/** Returns the sections of a message. Their buffer also contains the header and flags, as in a received message. */
const behindHeader = (size: number, more = 0) => new Uint8Array(new ArrayBuffer(20 + size + more), 20, size);

/** Receives requests at the other end, as a query thread does. */
function take(port: MessagePort, submit: (request: WireRequest, end: RequestPort) => void): number[] {
  const end = new RequestPort(port);
  const gone: number[] = [];
  port.on('message', (message: RequestsMessage) => {
    const disconnected = (ids: ReadonlySet<number>) => gone.push(...ids);
    end.receive(message, { submit: (asked) => submit(asked, end), disconnected });
    end.flush([]);
  });
  return gone;
}

async function nextRequests(port: MessagePort): Promise<WireRequest[]> {
  const requests: WireRequest[] = [];
  take(port, (asked) => requests.push(asked));
  await once(port, 'message');
  return requests;
}

suite('WorkerLink', () => {
  test('sends requests of one turn together, small ones in one buffer', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = new WorkerLink(port1);
    for (const text of ['one', 'three']) link.send(request(Buffer.from(text)), ignored);
    const requests = await nextRequests(port2);
    assert.deepEqual(
      requests.map(({ sections }) => Buffer.from(sections).toString()),
      ['one', 'three'],
    );
    assert.equal(requests[0]?.sections.buffer, requests[1]?.sections.buffer);
    assert.deepEqual(requests[1]?.caller, caller);
    link.close();
  });

  for (const [what, sections, transferred] of [
    ['that fills its buffer is transferred', behindHeader(70_000), true],
    ['followed by the start of the next message is copied', behindHeader(70_000, 3), false],
  ] as const) {
    test(`a large request ${what}`, async () => {
      const { port1, port2 } = new MessageChannel();
      const link = new WorkerLink(port1);
      link.send(request(sections), ignored);
      const requests = await nextRequests(port2);
      assert.equal(requests[0]?.sections.length, 70_000);
      assert.equal(sections.buffer.byteLength === 0, transferred);
      link.close();
    });
  }

  test('matches replies to requests in any order', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = new WorkerLink(port1);
    const answers = ['a', 'b'].map(
      (text) =>
        new Promise<string>((resolve) => {
          const reply = (document: Uint8Array) => resolve(Buffer.from(document).toString());
          link.send(request(Buffer.from(text)), { ...ignored, reply });
        }),
    );
    const requests: WireRequest[] = [];
    take(port2, (request, end) => {
      requests.push(request);
      if (requests.length < 2) return;
      for (const { requestId, sections } of requests.toReversed()) end.reply(requestId, sections);
    });
    assert.deepEqual(await Promise.all(answers), ['a', 'b']);
    link.close();
  });

  test('announces a caller once, and again when it changes', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = new WorkerLink(port1);
    const user = { username: 'sailor', database: 'admin', roles: [] };
    const loggedIn = { ...caller, user };
    const messages: RequestsMessage[] = [];
    port2.on('message', (message: RequestsMessage) => messages.push(message));
    const callers: WireRequest['caller'][] = [];
    const gone = take(port2, (asked, end) => {
      callers.push(asked.caller);
      end.reply(asked.requestId, asked.sections);
    });
    const ask = (by: WireRequest['caller']) =>
      new Promise<void>((resolve) => {
        link.send({ ...request(Buffer.of(1)), caller: by }, { ...ignored, reply: () => resolve() });
      });
    await ask(caller);
    await ask(caller);
    // Both requests arrive in the same event loop iteration. The request before the login must not run as the user.
    await Promise.all([ask(caller), ask(loggedIn)]);
    assert.deepEqual(
      callers.map((one) => one.user?.username),
      [undefined, undefined, undefined, 'sailor'],
    );
    const notices = messages.filter((message) => !(message instanceof Uint8Array));
    assert.equal(notices.length, 2);
    const bare = messages.length;
    link.gone(caller.connectionId);
    link.gone(caller.connectionId);
    await ask({ ...loggedIn, connectionId: 2 });
    assert.deepEqual(gone, [caller.connectionId]);
    assert.equal(messages.length, bare + 1, 'closed once, together with the next request');
    link.close();
  });

  test('loses pending and later requests when the worker ends', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = new WorkerLink(port1);
    const lost = new Promise<void>((resolve) =>
      link.send(request(Buffer.of(1)), { ...ignored, lost: resolve }),
    );
    port2.close();
    await lost;
    await new Promise<void>((resolve) => link.send(request(Buffer.of(1)), { ...ignored, lost: resolve }));
  });
});
