import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { serialize } from 'bson';
import { isCompressed } from './compressed.ts';
import { compressors } from './compression.ts';
import { ReplyWriter } from './reply-writer.ts';

test('compresses the reply to a compressed request, however short it is', async () => {
  for (const compressor of compressors) {
    const written: Buffer[] = [];
    const socket = { destroyed: false, write: (bytes: Buffer) => written.push(bytes) } as unknown as Socket;
    const writer = new ReplyWriter(socket, { bytesOut: 0 }, new SerialQueue());
    await writer.msg({ requestId: 7 }, serialize({ ok: 1 }), compressor);
    assert.deepEqual(written.map(isCompressed), [true], compressor.name);
  }
});
