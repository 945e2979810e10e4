import type { Command } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { compileFilter } from '../language/filter/index.ts';
import { keyText } from '../language/keys.ts';
import { entriesOf, RawDocument } from '../language/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../language/validate.ts';
import type { Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { command } from './define.ts';
import { environmentOf } from './environment.ts';
import { checkNamespace, onCollection } from './namespace.ts';
import { documentsOf, Matches, plan, refuseCollation } from './plan.ts';

export const distinctFields = {
  distinct: 'collection!',
  key: 'string!',
  query: 'object',
  collation: 'object',
  hint: 'objectOrString',
  queryHash: 'any',
} as const;

/** Each value at a path once, in the order in which they are met; an array stands for its entries. */
const distinct = command({
  name: 'distinct',
  privileges: onCollection('find'),
  readConcern: true,
  fields: distinctFields,
  run({ distinct: name, key, query, collation, hint }, { database }, cluster) {
    checkNamespace(database, name);
    refuseCollation(collation);
    if (key.includes('\0')) throw new ServerError(31032, 'Key field cannot contain an embedded null byte');
    const filter = compileFilter(query ?? RawDocument.empty, environmentOf(undefined, cluster));
    const { path } = plan(filter, { hint });
    const collection = cluster.store.collection(database, name);
    if (collection === undefined) return { values: [] };
    const found = new DistinctValues();
    for (const document of documentsOf(new Matches(collection, path, filter))) {
      for (const value of valuesAt(document, key)) found.add(value);
    }
    return { values: [...found] };
  },
});

/** What the answer may hold besides its values. */
const ENVELOPE_BYTES = 1024;

class DistinctValues {
  readonly #values = new Map<string, Value>();
  #bytes = ENVELOPE_BYTES;

  add(value: Value): void {
    const key = keyText(value);
    if (this.#values.has(key)) return;
    this.#bytes += value.end - value.start + String(this.#values.size).length + 2;
    if (this.#bytes > MAX_DOCUMENT_SIZE) throw new ServerError(17217, 'distinct too big, 16mb cap');
    this.#values.set(key, value.detached());
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.#values.values();
  }
}

function valuesAt(document: RawDocument, key: string): Value[] {
  return reach(document, key.split('.')).flatMap((value) =>
    value.type === bsonTypes.array ? entriesOf(value) : [value],
  );
}

/** Goes into documents by name, and into arrays by position and through each of their documents. */
function reach(document: RawDocument, [name = '', ...rest]: readonly string[]): Value[] {
  const value = document.get(name);
  if (value === undefined) return [];
  if (rest.length === 0) return [value];
  const inner = new RawDocument(value.bytes, value.start, value.end - value.start);
  if (value.type === bsonTypes.object) return reach(inner, rest);
  if (value.type !== bsonTypes.array) return [];
  const byPosition = /^\d+$/.test(rest[0] ?? '') ? reach(inner, rest) : [];
  const throughEntries = entriesOf(value)
    .filter(({ type }) => type === bsonTypes.object)
    .flatMap(({ bytes, start, end }) => reach(new RawDocument(bytes, start, end - start), rest));
  return [...byPosition, ...throughEntries];
}

export const distinctCommands: readonly Command[] = [distinct];
