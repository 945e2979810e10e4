import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { serialize } from 'bson';
import fc from 'fast-check';
import { body, opMsg, opQuery, sequence, turnsUntil, wireMessage } from '../wire/testing.ts';
import { commandName, opMsgHead, opReplyHead, parseMessage } from './codec.ts';
import { crc32c } from './crc32c.ts';
import { parseSections } from './documents.ts';
import { MalformedMessage, splitSections, walkSections } from './sections.ts';

/** Returns the bytes of this number of empty documents. */
function emptyDocuments(count: number): Buffer {
  return Buffer.alloc(count * 5, Buffer.of(5, 0, 0, 0, 0));
}

const ping = serialize({ ping: 1, $db: 'admin' });

suite('OP_MSG', () => {
  test('parses a body and document sequences', async () => {
    const documents = [serialize({ _id: 1 }), serialize({ _id: 2, text: 'two' })];
    const message = await parseMessage(opMsg(0, sequence('documents', documents), body(ping)));
    assert.equal(message.kind, 'msg');
    const { body: found, sequences } = parseSections((message as { sections: Uint8Array }).sections);
    assert.equal(found.string('$db'), 'admin');
    assert.deepEqual(
      sequences.get('documents')?.map((document) => Buffer.from(document.toBytes())),
      documents.map((document) => Buffer.from(document)),
    );
  });

  test('accepts an empty sequence', () => {
    const bytes = Buffer.concat([body(ping), sequence('documents', [])]);
    assert.deepEqual(splitSections(bytes).sequences.get('documents'), []);
  });

  test('accepts a matching checksum and excludes it from the sections', async () => {
    const plain = opMsg(1, body(ping), Buffer.alloc(4));
    plain.writeUInt32LE(crc32c(plain.subarray(0, -4)), plain.length - 4);
    const message = await parseMessage(plain);
    assert.equal(message.kind === 'msg' && message.sections.length, ping.length + 1);
  });

  test('rejects a checksum that does not match', () => {
    assert.throws(() => parseMessage(opMsg(1, body(ping), Buffer.alloc(4))), MalformedMessage);
  });

  test('verifies the checksum of a large message in turns', async () => {
    const large = opMsg(
      1,
      body(ping),
      sequence('documents', [serialize({ text: 'x'.repeat(8_000_000) })]),
      Buffer.alloc(4),
    );
    large.writeUInt32LE(crc32c(large.subarray(0, -4)), large.length - 4);
    const message = parseMessage(large);
    assert.ok(message instanceof Promise);
    assert.ok((await turnsUntil(message)) >= 7);
    assert.equal((await message).sections.length, large.length - 24);
    large[50] = 1;
    await assert.rejects(async () => parseMessage(large), MalformedMessage);
  });

  test('reports moreToCome and ignores optional flags', async () => {
    const message = await parseMessage(opMsg(2 + (1 << 16), body(ping)));
    assert.equal(message.kind === 'msg' && message.moreToCome, true);
  });

  test('computes the check value in the definition of CRC-32C', () => {
    assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283);
  });

  const broken: ReadonlyArray<readonly [what: string, bytes: Buffer]> = [
    ['no flags', wireMessage(2013, Buffer.alloc(3))],
    ['an unknown flag', opMsg(4, body(ping))],
    ['no section', opMsg(0)],
    ['a checksum flag and no checksum', opMsg(1)],
    ['two bodies', opMsg(0, body(ping), body(ping))],
    ['an unknown kind of section', opMsg(0, body(ping), Buffer.of(2, 0, 0, 0, 0))],
    ['only a sequence', opMsg(0, sequence('documents', []))],
    ['two sequences of one name', opMsg(0, body(ping), sequence('a', []), sequence('a', []))],
    ['five sequences', opMsg(0, body(ping), ...['a', 'b', 'c', 'd', 'e'].map((name) => sequence(name, [])))],
    ['more than a million documents', opMsg(0, body(ping), sequence('a', [emptyDocuments(1_000_001)]))],
    ['a body that is cut off', opMsg(0, body(ping).subarray(0, 12))],
    ['a body of negative length', opMsg(0, Buffer.from('00ffffffff00', 'hex'))],
    ['a sequence longer than the message', opMsg(0, body(ping), Buffer.from('01ff000000610000', 'hex'))],
    ['a sequence without a name', opMsg(0, body(ping), Buffer.from('010600000061ff', 'hex'))],
    [
      'a sequence whose document leaves it',
      opMsg(0, body(ping), Buffer.from('010c0000006100ff00000000', 'hex')),
    ],
    ['an unknown opcode', wireMessage(2002, ping)],
    ['an OP_QUERY without an end to its name', wireMessage(2004, Buffer.from('0000000061626364', 'hex'))],
    ['an OP_QUERY without a query', wireMessage(2004, Buffer.from('000000006100000000000000000000', 'hex'))],
  ];
  for (const [what, bytes] of broken) {
    test(`${what} is malformed`, async () => {
      await assert.rejects(async () => {
        const message = await parseMessage(bytes);
        if (message.kind === 'msg') splitSections(message.sections);
      }, MalformedMessage);
    });
  }

  test('rejects more documents than a command may contain, and creates no object for them', () => {
    const sections = Buffer.concat([body(ping), sequence('documents', [emptyDocuments(150_000)])]);
    assert.equal(splitSections(sections).sequences.get('documents')?.length, 100_000);
    assert.throws(() => parseSections(sections), {
      codeName: 'InvalidLength',
      message: 'Write batch sizes must be between 1 and 100000. Got 150000 operations.',
    });
  });

  test('parses any bytes as a message or rejects them as malformed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 0, maxLength: 64 }),
        fc.constantFrom(2013, 2004),
        async (bytes, opcode) => {
          try {
            const message = await parseMessage(wireMessage(opcode, Buffer.from(bytes)));
            if (message.kind === 'msg') walkSections(message.sections);
          } catch (error) {
            assert.ok(error instanceof MalformedMessage, String(error));
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

suite('OP_QUERY and answers', () => {
  test('finds the namespace and the query of a legacy hello', async () => {
    const query = serialize({ ismaster: 1, helloOk: true });
    const message = await parseMessage(opQuery('admin.$cmd', query));
    assert.equal(message.kind === 'query' && message.namespace, 'admin.$cmd');
    assert.deepEqual(message.kind === 'query' && Buffer.from(message.query), Buffer.from(query));
  });

  test('takes the command name from the first field', () => {
    assert.equal(commandName(ping), 'ping');
    assert.equal(commandName(serialize({})), undefined);
  });

  test('frames a reply as a message of its own', async () => {
    const message = await parseMessage(Buffer.concat([opMsgHead(7, 9, ping.length), ping]));
    assert.equal(message.requestId, 7);
    assert.equal(message.kind === 'msg' && commandName(walkSections(message.sections)), 'ping');
  });

  test('reports the number of documents in a reply to OP_QUERY', () => {
    const head = opReplyHead(7, 9, ping.length);
    assert.equal(head.readInt32LE(0), head.length + ping.length);
    assert.equal(head.readInt32LE(8), 9);
    assert.equal(head.readInt32LE(12), 1);
    assert.equal(head.readInt32LE(32), 1);
  });
});
