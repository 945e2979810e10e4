import { bsonTypes } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { describeDocument } from '../../bson/describe.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { IndexSpec } from './index-spec.ts';
import { sameFilter } from './same-filter.ts';

/** Indexes with the same key may coexist if they differ in one of these options. */
const signature = ['collation', 'partialFilterExpression', 'sparse', 'unique', 'wildcardProjection'];
/** Options in which equal indexes may differ. */
const immaterial: ReadonlySet<string> = new Set(['v', 'name', 'key', 'background', 'ns']);

/** Returns true if the index exists already. Throws if it conflicts with another index. */
export function alreadyExists(spec: IndexSpec, existing: readonly RawDocument[]): boolean {
  const named = existing.find((other) => nameOf(other) === spec.name);
  const like = existing.find((other) => sameSignature(spec.document, other));
  if (named !== undefined) {
    if (!sameKey(spec.document, named) || !sameSignature(spec.document, named)) {
      throw keySpecsConflict(spec, named);
    }
    if (!sameOptions(spec.document, named)) throw optionsConflict(spec.document, named);
    return true;
  }
  if (like !== undefined) {
    if (!sameOptions(spec.document, like)) throw optionsConflict(spec.document, like);
    throw new ServerError(
      'IndexOptionsConflict',
      `Index already exists with a different name: ${nameOf(like)}`,
    );
  }
  const text = existing.find((other) => isText(other));
  if (text !== undefined && isText(spec.document)) {
    if (sameKey(spec.document, text)) throw optionsConflict(spec.document, text);
    throw new ServerError(
      'CannotCreateIndex',
      `only one text index per collection allowed, found existing text index "${nameOf(text)}"`,
    );
  }
  return false;
}

function nameOf(spec: RawDocument): string {
  return spec.string('name') ?? '';
}

function isText(spec: RawDocument): boolean {
  return spec.has('textIndexVersion');
}

function sameKey(a: RawDocument, b: RawDocument): boolean {
  return keysEqual(a.document('key'), b.document('key'));
}

/** True if both keys have the same fields and directions in the same order. */
export function keysEqual(a: RawDocument | undefined, b: RawDocument | undefined): boolean {
  const [left, right] = [[...(a ?? [])], [...(b ?? [])]];
  return (
    left.length === right.length &&
    left.every((part, i) => {
      const other = right[i];
      return other !== undefined && part.name === other.name && sameValue(part, other);
    })
  );
}

function sameValue(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return toNumber(a) === toNumber(b);
  return a.type === bsonTypes.string && b.type === bsonTypes.string && textOf(a) === textOf(b);
}

function sameSignature(a: RawDocument, b: RawDocument): boolean {
  return sameKey(a, b) && signature.every((option) => sameOption(a, b, option));
}

function sameOption(a: RawDocument, b: RawDocument, option: string): boolean {
  const [left, right] = [a.get(option), b.get(option)];
  if (left === undefined || right === undefined) return left === right;
  if (option === 'partialFilterExpression') return sameFilter(documentOf(left), documentOf(right));
  return isNumber(left) && isNumber(right) ? compareValues(left, right) === 0 : left.identical(right);
}

function sameOptions(a: RawDocument, b: RawDocument): boolean {
  const names = new Set([...a, ...b].map(({ name }) => name));
  return [...names].every((name) => immaterial.has(name) || sameOption(a, b, name));
}

function optionsConflict(wanted: RawDocument, existing: RawDocument): ServerError {
  return new ServerError(
    'IndexOptionsConflict',
    'An equivalent index already exists with the same name but different options. Requested index: ' +
      `${describeDocument(wanted)}, existing index: ${describeDocument(existing)}`,
  );
}

function keySpecsConflict({ document }: IndexSpec, existing: RawDocument): ServerError {
  return new ServerError(
    'IndexKeySpecsConflict',
    'An existing index has the same name as the requested index. When index names are not specified, they are ' +
      'auto generated and can cause conflicts. Please refer to our documentation. Requested index: ' +
      `${describeDocument(document)}, existing index: ${describeDocument(existing)}`,
  );
}
