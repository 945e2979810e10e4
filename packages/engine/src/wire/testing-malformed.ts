import { deflateSync, zstdCompressSync } from 'node:zlib';
import { serialize } from 'bson';
import { compress as snappyCompress } from 'snappyjs';
import { body, opMsg, opQuery, sequence, wireMessage } from './testing.ts';

/**
 * This file generates messages that no driver sends. Two generators with the same seed generate the same messages.
 */

/** Returns an integer from 0 to `limit`, exclusive. */
export type Draw = (limit: number) => number;

/** Returns a function that draws random integers by the algorithm mulberry32. */
export function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const document = {
  _id: 1,
  text: 'some text',
  list: [1, 2.5, { deep: [true, null] }],
  when: new Date(0),
  more: {},
};
const documents = [document, { ...document, _id: 2 }].map((each) => serialize(each));

/** Valid messages, from which the malformed messages are made. */
const valid: readonly Buffer[] = [
  opMsg(0, body(serialize({ hello: 1, $db: 'admin' }))),
  opMsg(0, body(serialize({ find: 'c', filter: { list: { $gt: 1 } }, $db: 'fuzz' }))),
  opMsg(0, body(serialize({ insert: 'c', documents: [document], $db: 'fuzz' }))),
  opMsg(0, body(serialize({ insert: 'c', $db: 'fuzz' })), sequence('documents', documents)),
  opMsg(0, body(serialize({ aggregate: 'c', pipeline: [{ $match: document }], cursor: {}, $db: 'fuzz' }))),
  opMsg(
    0,
    body(
      serialize({
        saslStart: 1,
        mechanism: 'SCRAM-SHA-256',
        payload: Buffer.from('n,,n=x,r=y'),
        $db: 'admin',
      }),
    ),
  ),
  opQuery('admin.$cmd', serialize({ isMaster: 1, client: { application: { name: 'fuzz' } } })),
  opMsg(2, body(serialize({ update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } } }], $db: 'fuzz' }))),
];

type Mutation = (message: Buffer, draw: Draw) => Buffer;

const mutations: readonly Mutation[] = [
  flipBytes,
  flipBytes,
  otherHeader,
  cutOff,
  wrongLengthInside,
  wrongLength,
  compressed,
  (_message, draw) => randomBytes(draw(200), draw),
  (_message, draw) => wireMessage(draw(3_000), randomBytes(draw(300), draw)),
  (message, draw) => Buffer.concat([message, randomBytes(1 + draw(40), draw)]),
  duplicateSections,
];

export function malformed(draw: Draw): Buffer {
  const message = Buffer.from(pick(valid, draw));
  return pick(mutations, draw)(message, draw);
}

function pick<T>(list: readonly T[], draw: Draw): T {
  return list[draw(list.length)] as T;
}

function randomBytes(length: number, draw: Draw): Buffer {
  return Buffer.from(Array.from({ length }, () => draw(256)));
}

function flipBytes(message: Buffer, draw: Draw): Buffer {
  for (let i = 1 + draw(8); i > 0; i--) message[16 + draw(message.length - 16)] = draw(256);
  return message;
}

function otherHeader(message: Buffer, draw: Draw): Buffer {
  message[draw(16)] = draw(256);
  return message;
}

/** Truncates a message. The length in its header is the truncated length. */
function cutOff(message: Buffer, draw: Draw): Buffer {
  const cut = Buffer.from(message.subarray(0, 16 + draw(message.length - 16)));
  cut.writeInt32LE(cut.length, 0);
  return cut;
}

/** Overwrites a number that may be the length of a document, an array or a string. */
function wrongLengthInside(message: Buffer, draw: Draw): Buffer {
  const at = 20 + draw(message.length - 24);
  message.writeInt32LE(pick([-1, 0, 4, 5, 0x7fffffff, -0x80000000, draw(1_000)], draw), at);
  return message;
}

function wrongLength(message: Buffer, draw: Draw): Buffer {
  message.writeInt32LE(pick([-1, 0, 15, 16, 48_000_001, 0x7fffffff, draw(2_000)], draw), 0);
  return message;
}

const packers = [
  [1, snappyCompress],
  [2, deflateSync],
  [3, zstdCompressSync],
] as const;

/** Compresses a message or other bytes. The announced size is wrong, correct or the maximum. */
function compressed(message: Buffer, draw: Draw): Buffer {
  const [id, pack] = pick(packers, draw);
  const inside = draw(3) === 0 ? Buffer.alloc(1 << draw(21)) : message.subarray(16);
  const head = Buffer.alloc(9);
  head.writeInt32LE(pick([2013, 2012, 2004, draw(3_000)], draw), 0);
  head.writeInt32LE(pick([inside.length, inside.length - 1, 0, -5, 47_000_000, 0x7fffffff], draw), 4);
  head[8] = draw(10) === 0 ? draw(256) : id;
  const content = Buffer.from(pack(inside));
  if (draw(3) === 0) content[draw(content.length)] = draw(256);
  return wireMessage(2012, head, content);
}

/** Returns a message with two bodies, or with two sequences of the same name. */
function duplicateSections(message: Buffer): Buffer {
  const sections = message.subarray(20);
  return opMsg(0, sections, sections);
}
