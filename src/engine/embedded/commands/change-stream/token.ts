import { bsonTypes } from '../../language/bson-types.ts';
import { writeDocument } from '../../language/document-writer.ts';
import type { RawDocument } from '../../language/raw.ts';
import { string, textOf } from '../../language/value.ts';
import { ServerError } from '../../server-error.ts';

/**
 * Where a change stream stands: the position of an entry of the oplog, and how much of that entry has been told. As
 * a document it is `{ _data }`, hexadecimal digits whose order is that of the changes.
 */
export interface Token {
  readonly position: number;
  readonly told: Told;
}

/** Nothing of the entry; the change; that the stream ends with the change; or all that there is to tell. */
export const told = { nothing: 0, change: 1, end: 2, all: 3 } as const;
export type Told = (typeof told)[keyof typeof told];

const VERSION = '82';
const DIGITS = 14;
const pattern = new RegExp(`^${VERSION}([0-9A-F]{${DIGITS}})0([0-3])$`);

export function encodeToken({ position, told }: Token): RawDocument {
  const digits = position.toString(16).toUpperCase().padStart(DIGITS, '0');
  return writeDocument((writer) => writer.field('_data', string(`${VERSION}${digits}0${told}`)));
}

export function decodeToken(document: RawDocument): Token {
  const data = document.get('_data');
  const match = data?.type === bsonTypes.string ? pattern.exec(textOf(data)) : null;
  if (match === null) {
    throw new ServerError('InvalidResumeToken', 'the resume token is not one of this deployment');
  }
  return { position: Number.parseInt(match[1] ?? '', 16), told: Number(match[2]) as Told };
}

/** The first comes before the second. */
export function isBehind(token: Token, { position, told }: Token): boolean {
  return token.position === position ? token.told > told : token.position > position;
}
