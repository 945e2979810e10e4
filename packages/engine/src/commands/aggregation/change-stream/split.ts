import { writeDocument } from '../../../bson/document-writer.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { type Element, int32 } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/** What a document may hold that a cursor answers. */
export const MOST_EVENT_BYTES = 16 * 1024 * 1024;
/** Of each fragment: its id, a token of some hundred bytes, and what it says of itself. */
const OVERHEAD = 4 * 1024;

/**
 * An event in pieces that each fit an answer, by whole fields: each has the id that `idOf` gives to its number and
 * says which of how many it is.
 */
export function splitEvent(event: RawDocument, idOf: (fragment: number) => RawDocument): RawDocument[] {
  const groups = grouped([...event].filter(({ name }) => name !== '_id'));
  return groups.map((fields, i) =>
    writeDocument((writer) => {
      writer.field('_id', idOf(i).toValue());
      writer.field(
        'splitEvent',
        writeDocument((inner) => {
          inner.field('fragment', int32(i + 1));
          inner.field('of', int32(groups.length));
        }).toValue(),
      );
      for (const field of fields) writer.element(field);
    }),
  );
}

/** Small fields first, so that what is small is in the first fragment. */
function grouped(fields: readonly Element[]): Element[][] {
  const sizeOf = (field: Element) => field.end - field.nameStart + 1;
  const groups: Element[][] = [];
  let room = 0;
  for (const field of fields.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    const size = sizeOf(field);
    if (size > MOST_EVENT_BYTES - OVERHEAD) throw tooLarge(size);
    if (size > room) {
      groups.push([]);
      room = MOST_EVENT_BYTES - OVERHEAD;
    }
    room -= size;
    groups.at(-1)?.push(field);
  }
  return groups;
}

function tooLarge(size: number): ServerError {
  return new ServerError(
    'BSONObjectTooLarge',
    `BSONObj size: ${size} is invalid. Size must be between 0 and ${MOST_EVENT_BYTES + 16 * 1024}(16MB)`,
  );
}
