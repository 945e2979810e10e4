import { writeDocument } from '../../../bson/document-writer.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { type Element, int32 } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/** Maximum size of a document in a cursor reply, in bytes. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;
/**
 * Number of bytes that a fragment reserves for its id and for the field `splitEvent`. The id is a token of some hundred
 * bytes.
 */
const OVERHEAD = 4 * 1024;

/**
 * Splits an event by top-level fields into fragments that each fit into a reply. `idOf` returns the id of a fragment
 * by its index. The field `splitEvent` of a fragment contains its number and the number of all fragments.
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

/** Groups fields into fragments. Sorts the fields by size, so that small fields are in the first fragment. */
function grouped(fields: readonly Element[]): Element[][] {
  const sizeOf = (field: Element) => field.end - field.nameStart + 1;
  const groups: Element[][] = [];
  let remaining = 0;
  for (const field of fields.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    const size = sizeOf(field);
    if (size > MAX_EVENT_BYTES - OVERHEAD) throw tooLarge(size);
    if (size > remaining) {
      groups.push([]);
      remaining = MAX_EVENT_BYTES - OVERHEAD;
    }
    remaining -= size;
    groups.at(-1)?.push(field);
  }
  return groups;
}

function tooLarge(size: number): ServerError {
  return new ServerError(
    'BSONObjectTooLarge',
    `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_EVENT_BYTES + 16 * 1024}(16MB)`,
  );
}
