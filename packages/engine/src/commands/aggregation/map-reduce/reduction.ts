import { byBytes, type Comparison } from '../../../bson/collation/comparison.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import type { Environment } from '../../../language/environment.ts';
import { arrayOf } from '../../../language/expression/field-path.ts';
import type { ScriptFunction } from '../../../language/scripts.ts';
import { OVERHEAD, outOfMemory, STAGE_BYTES } from '../../../language/workspace.ts';
import type { Statement } from '../../../statement/statement.ts';

export interface Functions {
  readonly map: ScriptFunction;
  readonly reduce: ScriptFunction;
  readonly finalize?: ScriptFunction | undefined;
}

interface Group {
  readonly key: Value;
  readonly values: Value[];
}

/** Returns the emitted keys with their reduced values, in key order. */
export function reduction(
  docs: Iterable<RawDocument>,
  functions: Functions,
  { comparison = byBytes, statement }: Environment,
): RawDocument[] {
  return [...emitted(docs, functions.map, comparison, statement).values()]
    .sort((a, b) => comparison.compare(a.key, b.key))
    .map(({ key, values }) => result(key, reduced(key, values, functions.reduce), functions.finalize));
}

function emitted(
  docs: Iterable<RawDocument>,
  map: ScriptFunction,
  { keyText }: Comparison,
  statement: Statement,
): Map<string, Group> {
  const groups = new Map<string, Group>();
  let bytes = 0;
  for (const doc of docs) {
    statement.check();
    for (const [key, value] of map.emits(doc)) {
      bytes += key.end - key.start + value.end - value.start + OVERHEAD;
      if (bytes > STAGE_BYTES) throw outOfMemory('mapReduce');
      const text = keyText(key);
      const group = groups.get(text);
      if (group === undefined) groups.set(text, { key, values: [value] });
      else group.values.push(value);
    }
  }
  return groups;
}

/** Reduces the values of a key. A single value is returned without calling `reduce`. */
export function reduced(key: Value, values: readonly Value[], reduce: ScriptFunction): Value {
  const [only] = values;
  return only !== undefined && values.length === 1 ? only : reduce.call([key, arrayOf(values)]);
}

export function result(key: Value, value: Value, finalize: ScriptFunction | undefined): RawDocument {
  return writeDocument((writer) => {
    writer.field('_id', key);
    writer.field('value', finalize === undefined ? value : finalize.call([key, value]));
  });
}
