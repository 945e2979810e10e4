import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import { KeyReader } from '../../bson/key-values.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { areDecodable, numberTypeOf } from '../model/value-types.ts';

/**
 * True if the values of the given parts can be decoded from index keys. Any write can make this false. Other parts may
 * have arrays.
 */
export function canDecodeValues(index: IndexDefinition, parts: ReadonlySet<number>): boolean {
  const { types, multikey } = index;
  if (index.kind !== 'ordinary' || index.collated || types === undefined) return false;
  return [...parts].every((i) => multikey[i]?.size === 0 && areDecodable(types[i] ?? 0));
}

/** The number of an index part or, for an embedded document, a map from its field names to such branches. */
type Branch = number | Map<string, Branch>;

/**
 * Returns a function that builds a document from a key, with the fields of the parts in `wanted` in index order. The
 * function returns undefined if the key does not determine all values: for example, a null may mean a missing field.
 */
export function documentReader(
  { parts, types = [] }: IndexDefinition,
  wanted: ReadonlySet<number>,
): (key: Uint8Array) => RawDocument | undefined {
  const last = Math.max(...wanted);
  const tree = treeOf(wanted, (i) => parts[i]?.path.text ?? '');
  return (key) => {
    const reader = new KeyReader(key);
    const values: Value[] = [];
    for (let i = 0; i <= last; i++) {
      const value = reader.next(parts[i]?.direction ?? 1, numberTypeOf(types[i] ?? 0));
      if (reader.lost) return undefined;
      if (wanted.has(i) && (value === undefined || value === nullValue)) return undefined;
      values.push(value ?? nullValue);
    }
    return writeDocument((writer) => writeBranches(writer, tree, values));
  };
}

function treeOf(wanted: ReadonlySet<number>, pathOf: (part: number) => string): Map<string, Branch> {
  const root = new Map<string, Branch>();
  for (const i of [...wanted].sort((a, b) => a - b)) {
    const names = pathOf(i).split('.');
    const last = names.pop() ?? '';
    let branch = root;
    for (const name of names) {
      const known = branch.get(name);
      const next = known instanceof Map ? known : new Map<string, Branch>();
      branch.set(name, next);
      branch = next;
    }
    branch.set(last, i);
  }
  return root;
}

function writeBranches(writer: DocumentWriter, tree: Map<string, Branch>, values: readonly Value[]): void {
  for (const [name, branch] of tree) {
    if (typeof branch === 'number') writer.field(name, values[branch] ?? nullValue);
    else {
      writer.head(bsonTypes.object, name);
      const start = writer.begin();
      writeBranches(writer, branch, values);
      writer.end(start);
    }
  }
}
