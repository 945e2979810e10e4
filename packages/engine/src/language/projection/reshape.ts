import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { arrayOf } from '../expression/field-path.ts';
import type { Slice } from './slice.ts';

/**
 * A change along a path. `change` receives the value at each part of the path, and `last` is true at the end
 * of the path. `change` returns the new value, `undefined` to remove the field, or 'enter' to continue into
 * the value.
 */
export interface Reshape {
  readonly change: (value: Value, last: boolean) => Value | undefined | 'enter';
}

/** Changes the value at a path. The path traverses arrays if `change` returns 'enter' for them. */
export function reshape(doc: RawDocument, parts: readonly string[], by: Reshape): RawDocument {
  return documentOf(inDocument(doc, parts, 0, by));
}

function inDocument(doc: RawDocument, parts: readonly string[], depth: number, by: Reshape): Value {
  return writeDocument((writer) => {
    for (const element of doc) {
      if (element.name !== parts[depth]) {
        writer.element(element);
        continue;
      }
      const changed = inValue(element, parts, depth, by);
      if (changed !== undefined) writer.field(element.name, changed);
    }
  }).toValue();
}

function inValue(value: Value, parts: readonly string[], depth: number, by: Reshape): Value | undefined {
  const last = depth === parts.length - 1;
  const changed = by.change(value, last);
  if (changed !== 'enter') return changed;
  if (last) return value;
  if (value.type === bsonTypes.object) return inDocument(documentOf(value), parts, depth + 1, by);
  if (value.type !== bsonTypes.array) return value;
  return arrayOf(
    entriesOf(value).map((entry) =>
      entry.type === bsonTypes.object ? inDocument(documentOf(entry), parts, depth + 1, by) : entry,
    ),
  );
}

export function sliced({ skip, limit }: Slice): Reshape {
  return {
    change(value, last) {
      if (!last || value.type !== bsonTypes.array) return 'enter';
      const entries = entriesOf(value);
      const from = skip < 0 ? Math.max(0, entries.length + skip) : skip;
      return arrayOf(entries.slice(from, from + limit));
    },
  };
}

/** Keeps only the first matching array entry. Removes the field if no entry matches or the value is not an array. */
export function firstMatch(test: (entry: Value) => boolean): Reshape {
  return {
    change(value) {
      if (value.type !== bsonTypes.array) return undefined;
      const found = entriesOf(value).find(test);
      return found === undefined ? undefined : arrayOf([found]);
    },
  };
}

/** Keeps only the entry that matched, in the first array on the path. */
export function positioned(position: number | undefined): Reshape {
  return {
    change(value) {
      if (value.type !== bsonTypes.array) return 'enter';
      if (position === undefined) {
        throw new ServerError(
          51246,
          "positional operator '.$' couldn't find a matching element in the array",
        );
      }
      const entry = entriesOf(value)[position];
      if (entry === undefined) {
        throw new ServerError(51247, "positional operator '.$' element mismatch");
      }
      return arrayOf([entry]);
    },
  };
}
