import { crc32cInTurns } from './crc32c.ts';
import { BODY, documentEnd, MalformedMessage, SMALLEST_DOCUMENT, viewOf } from './sections.ts';

/**
 * This file parses and builds the messages of the wire protocol. A message is a header of 16 bytes and a body, whose
 * form depends on the opcode. All integers are little-endian.
 */

export const HEADER_BYTES = 16;
export const MAX_MESSAGE_BYTES = 48_000_000;
export const MAX_DOCUMENT_BYTES = 16_777_216;

const OP_REPLY = 1;
const OP_QUERY = 2004;
export const OP_COMPRESSED = 2012;
const OP_MSG = 2013;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 1 << 16;
/**
 * The flag bits that must be known: the receiver must reject a message with an unknown flag among bits 0 to 15. It may
 * ignore unknown flags among bits 16 to 31.
 */
const REQUIRED_FLAGS = 0xffff;
/** The flag `AwaitCapable`, which every server since 1.6 sets. */
const REPLY_FLAGS = 8;

export interface OpMsg {
  readonly kind: 'msg';
  readonly requestId: number;
  /** True if the sender expects no reply. */
  readonly moreToCome: boolean;
  /** True if the sender accepts several replies to this message. */
  readonly exhaustAllowed: boolean;
  readonly sections: Uint8Array;
}

/**
 * An OP_QUERY message. Drivers that do not know yet whether the server supports OP_MSG send their first greeting in
 * this form.
 */
export interface OpQuery {
  readonly kind: 'query';
  readonly requestId: number;
  /** Always `admin.$cmd`. */
  readonly namespace: string;
  readonly query: Uint8Array;
}

/**
 * Parses a whole message. The result shares memory with `bytes`. Throws `MalformedMessage`. If the message is large and
 * has a checksum, returns a promise, which resolves when the checksum has been compared.
 */
export function parseMessage(bytes: Uint8Array): OpMsg | OpQuery | Promise<OpMsg> {
  const view = viewOf(bytes);
  const requestId = view.getInt32(4, true);
  const opcode = view.getInt32(12, true);
  if (opcode === OP_MSG) return parseOpMsg(bytes, view, requestId);
  if (opcode === OP_QUERY) return parseOpQuery(bytes, view, requestId);
  throw new MalformedMessage(`opcode ${opcode} is not supported`);
}

/** True if the message is an OP_MSG with a checksum. */
export function hasChecksum(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  const isMsg = bytes.length >= HEADER_BYTES + 4 && view.getInt32(12, true) === OP_MSG;
  return isMsg && (view.getUint32(HEADER_BYTES, true) & CHECKSUM_PRESENT) !== 0;
}

function parseOpMsg(bytes: Uint8Array, view: DataView, requestId: number): OpMsg | Promise<OpMsg> {
  if (bytes.length < HEADER_BYTES + 4) throw new MalformedMessage('OP_MSG ends before its flags');
  const flags = view.getUint32(HEADER_BYTES, true);
  const unknown = flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME);
  if (unknown !== 0) throw new MalformedMessage(`OP_MSG has unknown flags ${unknown}`);
  const end = bytes.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const message: OpMsg = {
    kind: 'msg',
    requestId,
    moreToCome: (flags & MORE_TO_COME) !== 0,
    exhaustAllowed: (flags & EXHAUST_ALLOWED) !== 0,
    sections: bytes.subarray(HEADER_BYTES + 4, end),
  };
  return end < bytes.length ? verified(message, bytes, view, end) : message;
}

/** Compares the checksum at `end`. */
function verified(message: OpMsg, bytes: Uint8Array, view: DataView, end: number): OpMsg | Promise<OpMsg> {
  if (end < HEADER_BYTES + 4) throw new MalformedMessage('OP_MSG ends before its checksum');
  const compare = (checksum: number) => {
    if (checksum === view.getUint32(end, true)) return message;
    throw new MalformedMessage('OP_MSG checksum does not match');
  };
  const checksum = crc32cInTurns(bytes.subarray(0, end));
  return typeof checksum === 'number' ? compare(checksum) : checksum.then(compare);
}

function parseOpQuery(bytes: Uint8Array, view: DataView, requestId: number): OpQuery {
  const nameEnd = bytes.indexOf(0, HEADER_BYTES + 4);
  // `numberToSkip` and `numberToReturn` take 8 bytes after the name. The query follows them.
  const start = nameEnd + 9;
  if (nameEnd === -1 || start + SMALLEST_DOCUMENT > bytes.length) {
    throw new MalformedMessage('OP_QUERY ends before its query');
  }
  const namespace = Buffer.from(bytes.subarray(HEADER_BYTES + 4, nameEnd)).toString();
  return {
    kind: 'query',
    requestId,
    namespace,
    query: bytes.subarray(start, documentEnd(view, start, bytes.length)),
  };
}

/** Returns the name of the first field, which is the name of the command. Returns undefined for an empty document. */
export function commandName(body: Uint8Array): string | undefined {
  const end = body.indexOf(0, 5);
  if (body[4] === 0 || end === -1) return undefined;
  return Buffer.from(body.buffer, body.byteOffset + 5, end - 5).toString('latin1');
}

/** Returns the part of an OP_MSG reply that precedes its document. */
export function opMsgHead(
  requestId: number,
  responseTo: number,
  documentBytes: number,
  moreToCome = false,
): Buffer {
  const head = header(HEADER_BYTES + 5, documentBytes, requestId, responseTo, OP_MSG);
  head.writeUInt32LE(moreToCome ? MORE_TO_COME : 0, HEADER_BYTES);
  head[HEADER_BYTES + 4] = BODY;
  return head;
}

/** Returns the part of a reply to an OP_QUERY that precedes its only document. */
export function opReplyHead(requestId: number, responseTo: number, documentBytes: number): Buffer {
  const head = header(HEADER_BYTES + 20, documentBytes, requestId, responseTo, OP_REPLY);
  head.writeInt32LE(REPLY_FLAGS, HEADER_BYTES);
  head.fill(0, HEADER_BYTES + 4, HEADER_BYTES + 16);
  head.writeInt32LE(1, HEADER_BYTES + 16);
  return head;
}

function header(bytes: number, more: number, requestId: number, responseTo: number, opcode: number): Buffer {
  const head = Buffer.allocUnsafe(bytes);
  head.writeInt32LE(bytes + more, 0);
  head.writeInt32LE(requestId | 0, 4);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(opcode, 12);
  return head;
}
