import assert from 'node:assert/strict';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { RequestsMessage } from '../worker/protocol.ts';
import { WorkerLink } from './worker-link.ts';

const caller = { connectionId: 1, remote: '127.0.0.1:1', member: 'shard-00-00' };
const request = (sections: Uint8Array) => ({ clusterId: 'c1', caller, sections });
const ignored = { reply: () => {}, lost: () => {} };
/** Sections as they lie behind the header and the flags of their message. */
const behindHeader = (size: number, more = 0) => new Uint8Array(new ArrayBuffer(20 + size + more), 20, size);

async function nextRequests(port: MessagePort): Promise<RequestsMessage['requests']> {
  const [message] = await once(port, 'message');
  return message.requests;
}

suite('WorkerLink', () => {
  test('requests of one turn travel together, small ones in one piece of memory', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = new WorkerLink(port1);
    for (const text of ['one', 'three']) link.send(request(Buffer.from(text)), ignored);
    const requests = await nextRequests(port2);
    assert.deepEqual(
      requests.map(({ sections }) => Buffer.from(sections).toString()),
      ['one', 'three'],
    );
    assert.deepEqual(
      requests.map(({ sections }) => sections.buffer.byteLength),
      [8, 8],
    );
    link.close();
  });

  for (const [what, sections, handedOver] of [
    ['alone in its memory is handed over', behindHeader(70_000), true],
    ['with the start of the next message behind it is copied', behindHeader(70_000, 3), false],
  ] as const) {
    test(`a large request ${what}`, async () => {
      const { port1, port2 } = new MessageChannel();
      const link = new WorkerLink(port1);
      link.send(request(sections), ignored);
      const requests = await nextRequests(port2);
      assert.equal(requests[0]?.sections.length, 70_000);
      assert.equal(sections.buffer.byteLength === 0, handedOver);
      link.close();
    });
  }

  test('each answer finds its request, in any order', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = new WorkerLink(port1);
    const answers = ['a', 'b'].map(
      (text) =>
        new Promise<string>((resolve) => {
          const reply = (document: Uint8Array) => resolve(Buffer.from(document).toString());
          link.send(request(Buffer.from(text)), { ...ignored, reply });
        }),
    );
    port2.on('message', ({ requests }: RequestsMessage) => {
      const replies = requests.map(({ requestId, sections }) => ({ requestId, document: sections }));
      port2.postMessage({ replies: replies.toReversed() });
    });
    assert.deepEqual(await Promise.all(answers), ['a', 'b']);
    link.close();
  });

  test('when the worker goes, open requests and later ones are lost', async () => {
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
