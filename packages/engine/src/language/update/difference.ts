import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, falseValue, int32, trueValue, type Value } from '../../bson/value.ts';

/**
 * Computes the difference between two documents in the oplog's format: `d` lists removed fields, `u` has updated
 * fields, `i` has fields appended at the end, and `s` as a prefix marks a nested difference. In the difference of an
 * array (`a: true`), `l` is the new length, and `u` and `s` are prefixes of an index.
 */
export function diffOf(before: RawDocument, after: RawDocument): RawDocument {
  return writeChanges(changesOf(before, after));
}

/** The changes within one document. */
export interface Changes {
  readonly deleted: Set<string>;
  readonly updated: Element[];
  readonly inserted: Element[];
  readonly inside: Array<readonly [name: string, diff: RawDocument]>;
}

export function noChanges(): Changes {
  return { deleted: new Set(), updated: [], inserted: [], inside: [] };
}

export function writeChanges({ deleted, updated, inserted, inside }: Changes): RawDocument {
  return writeDocument((writer) => {
    section(writer, 'd', deleted.values(), (name) => writer.field(name, falseValue));
    section(writer, 'u', updated.values(), (element) => writer.element(element));
    section(writer, 'i', inserted.values(), (element) => writer.element(element));
    for (const [name, inner] of inside) writer.field(`s${name}`, inner.toValue());
  });
}

/**
 * Walks both documents in parallel. At a field of the old document whose name differs from the next new name, removes
 * the old field. At the end, appends the rest of the new document. So the difference also reproduces the order of
 * fields.
 */
function changesOf(before: RawDocument, after: RawDocument): Changes {
  const changes = noChanges();
  let next = after.first();
  for (const old of before) {
    if (next === undefined || !sameName(old, next)) {
      changes.deleted.add(old.name);
      continue;
    }
    if (!old.identical(next)) {
      const inner = innerDiff(old, next);
      if (inner === undefined) changes.updated.push(next);
      else changes.inside.push([next.name, inner]);
    }
    next = after.after(next);
  }
  for (; next !== undefined; next = after.after(next)) {
    changes.inserted.push(next);
    changes.deleted.delete(next.name);
  }
  return changes;
}

function sameName(a: Element, b: Element): boolean {
  const length = a.nameEnd - a.nameStart;
  if (b.nameEnd - b.nameStart !== length) return false;
  for (let i = 0; i < length; i++) if (a.bytes[a.nameStart + i] !== b.bytes[b.nameStart + i]) return false;
  return true;
}

/** Returns the difference of two documents or arrays, unless the new value itself is smaller. */
function innerDiff(before: Value, after: Value): RawDocument | undefined {
  if (before.type !== after.type) return undefined;
  const diff =
    after.type === bsonTypes.object ? diffOf : after.type === bsonTypes.array ? arrayDiff : undefined;
  const inner = diff?.(documentOf(before), documentOf(after));
  return inner !== undefined && inner.length < after.end - after.start ? inner : undefined;
}

function arrayDiff(before: RawDocument, after: RawDocument): RawDocument {
  const [old, entries] = [[...before], [...after]];
  return writeDocument((writer) => {
    writer.field('a', trueValue);
    if (entries.length < old.length) writer.field('l', int32(entries.length));
    entries.forEach((entry, i) => {
      const former = old[i];
      if (former?.identical(entry)) return;
      const inner = former && innerDiff(former, entry);
      if (inner === undefined) writer.field(`u${i}`, entry);
      else writer.field(`s${i}`, inner.toValue());
    });
  });
}

function section<T>(
  writer: DocumentWriter,
  name: string,
  items: IteratorObject<T>,
  write: (item: T) => void,
): void {
  const { done, value } = items.next();
  if (done) return;
  writer.head(bsonTypes.object, name);
  const start = writer.begin();
  write(value);
  for (const item of items) write(item);
  writer.end(start);
}
