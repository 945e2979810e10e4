import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { MAX_DEPTH, tooDeep } from '../../bson/validate.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Condition, Filter } from '../filter/filter.ts';

interface Equality {
  readonly path: string;
  readonly value: Value;
}

/** Returns the fields and values that the equality conditions of the filter imply. */
export function seedOf(filter: Filter): RawDocument {
  const root: Seed = new Map();
  for (const { path, value } of equalitiesOf(filter.root)) plant(root, path, value);
  return writeDocument((writer) => writeSeed(writer, root));
}

/**
 * Returns the `_id` that the filter requires by equality. Throws `NotExactValueField` if the filter requires only a part
 * of `_id`, and `NotSingleValueField` if it requires `_id` twice.
 */
export function idOf(filter: Filter): Value | undefined {
  const equalities = equalitiesOf(filter.root).filter(
    ({ path }) => path === '_id' || path.startsWith('_id.'),
  );
  const part = equalities.find(({ path }) => path !== '_id');
  if (part !== undefined)
    throw new ServerError(
      'NotExactValueField',
      `field at '_id' must be exactly specified, field at sub-path '${part.path}' found`,
    );
  if (equalities.length > 1) throw matchedTwice('_id', '_id');
  return equalities[0]?.value;
}

function equalitiesOf(condition: Condition): Equality[] {
  if (condition.operator === '$and') return condition.children?.flatMap(equalitiesOf) ?? [];
  const { leaf } = condition;
  return leaf?.equals === undefined ? [] : [{ path: leaf.path.text, value: leaf.equals }];
}

type Seed = Map<string, Value | Seed>;

function plant(root: Seed, path: string, value: Value): void {
  const parts = path.split('.', MAX_DEPTH + 1);
  if (parts.length > MAX_DEPTH) throw tooDeep();
  const last = parts.pop() as string;
  let at = root;
  for (const part of parts) {
    const present = at.get(part) ?? new Map();
    if (!(present instanceof Map)) throw matchedTwice(path, part);
    at.set(part, present);
    at = present;
  }
  if (at.has(last)) throw matchedTwice(path, path);
  at.set(last, value);
}

function matchedTwice(path: string, at: string): ServerError {
  return new ServerError(
    'NotSingleValueField',
    path === at
      ? `cannot infer query fields to set, path '${path}' is matched twice`
      : `cannot infer query fields to set, both paths '${path}' and '${at}' are matched`,
  );
}

function writeSeed(writer: DocumentWriter, seed: Seed): void {
  for (const [name, value] of seed) {
    if (!(value instanceof Map)) {
      writer.field(name, value);
      continue;
    }
    writer.head(bsonTypes.object, name);
    const start = writer.begin();
    writeSeed(writer, value);
    writer.end(start);
  }
}
