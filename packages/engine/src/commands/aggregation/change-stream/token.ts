import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../../bson/document-writer.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { string, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { position as positionAt, timestampAt } from '../../../storage/oplog/time.ts';
import { isWritable, KeyStringReader, KeyStringWriter, unknownKind } from './key-string.ts';

/**
 * A position in a change stream: either before all events of an oplog position (a high-water mark), or after
 * one of these events. The encoded form is `{ _data }`, as in the server. `_data` consists of hexadecimal
 * digits that sort in the order of the changes.
 */
export interface Token {
  readonly position: number;
  /** The event directly before the position. Absent for a high-water mark. */
  readonly event?: EventPosition;
}

interface EventPosition {
  /** The index among the changes of an entry. */
  readonly step: number;
  /** True for the invalidate event. This event follows the change that causes it. */
  readonly invalidate: boolean;
  /** The index of the fragment of a split event. */
  readonly fragment?: number;
}

/** The part of a token that describes the event to readers. A stream ignores this part when it resumes. */
export interface EventIdentity {
  readonly uuid: Value | undefined;
  readonly operationType: string;
  readonly documentKey: RawDocument | undefined;
}

const VERSION = 2;
const MARK = 0;
const EVENT = 128;

export function encodeToken({ position, event }: Token, identity?: EventIdentity): RawDocument {
  const writer = new KeyStringWriter();
  writer.timestamp(timestampAt(position));
  writer.integer(VERSION);
  writer.integer(event === undefined ? MARK : EVENT);
  writer.integer(event?.step ?? 0);
  writer.bool(event?.invalidate ?? false);
  if (identity?.uuid === undefined) writer.null();
  else writer.value(identity.uuid);
  if (identity !== undefined) {
    writer.object(identifierOf(identity));
    if (event?.fragment !== undefined) writer.integer(event.fragment);
  }
  const bytes = writer.finish();
  return writeDocument((document) => writeHex(document, '_data', bytes));
}

/** Number of bytes that are converted to digits at a time. A document key may have 16 MB. */
const PIECE_BYTES = 65_536;

/** Writes a text of the hexadecimal digits of the bytes. */
function writeHex(writer: DocumentWriter, name: string, bytes: Uint8Array): void {
  writer.head(bsonTypes.string, name);
  writer.int32(bytes.length * 2 + 1);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const digits = Buffer.from(bytes.subarray(at, at + PIECE_BYTES)).toString('hex');
    writer.span(Buffer.from(digits.toUpperCase(), 'latin1'));
  }
  writer.byte(0);
}

function identifierOf({ operationType, documentKey }: EventIdentity): RawDocument {
  return writeDocument((writer) => {
    writer.field('operationType', string(operationType));
    const key = documentKey?.toValue();
    if (key !== undefined && isWritable(key)) writer.field('documentKey', key);
  });
}

export function decodeToken(document: RawDocument): Token {
  const data = document.get('_data');
  if (data?.type !== bsonTypes.string) {
    const got = data === undefined ? 'missing' : typeName(data.type);
    throw new ServerError(
      40_647,
      `Bad resume token: _data of missing or of wrong type. Expected string, got ${got}`,
    );
  }
  const typeBits = document.get('_typeBits');
  if (typeBits !== undefined && typeBits.type !== bsonTypes.binData) {
    throw new ServerError(40_648, 'Bad resume token: _typeBits of wrong type');
  }
  const text = textOf(data);
  if (text === '') throw new ServerError(40_649, 'Bad resume token: _data is empty');
  if (text.length % 2 === 1 || !/^[0-9a-f]*$/i.test(text)) {
    throw new ServerError('FailedToParse', 'resume token string was not a valid hex string');
  }
  return tokenOfBytes(Buffer.from(text, 'hex'));
}

function tokenOfBytes(bytes: Uint8Array): Token {
  const reader = new KeyStringReader(bytes);
  const time = reader.timestamp();
  if (time === undefined) {
    if ((bytes[0] ?? 0) < 10) throw unknownKind(bytes[0]);
    throw foreignToken();
  }
  const version = reader.integer();
  const kind = reader.integer();
  const step = reader.integer();
  const invalidate = reader.bool();
  if (version === undefined || version > VERSION || step === undefined || invalidate === undefined) {
    throw foreignToken();
  }
  const position = positionAt(time);
  if (kind === MARK) return { position };
  if (kind !== EVENT) throw foreignToken();
  reader.skip();
  if (!reader.ended) reader.skip();
  const fragment = reader.ended ? undefined : reader.integer();
  return { position, event: { step, invalidate, ...(fragment === undefined ? {} : { fragment }) } };
}

function foreignToken(): ServerError {
  return new ServerError('InvalidResumeToken', 'Bad resume token: it does not belong to this deployment');
}

/** True if `a` comes before `b`. */
export function isBefore(a: Token, b: Token): boolean {
  if (a.position !== b.position) return a.position < b.position;
  if (a.event === undefined || b.event === undefined) return a.event === undefined && b.event !== undefined;
  if (a.event.step !== b.event.step) return a.event.step < b.event.step;
  if (a.event.invalidate !== b.event.invalidate) return b.event.invalidate;
  return (a.event.fragment ?? WHOLE) < (b.event.fragment ?? WHOLE);
}

/** The fragment index of a token for a whole event. This token sorts after the tokens of all fragments of the event. */
const WHOLE = Number.POSITIVE_INFINITY;
