import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { MAX_DEPTH } from '../../bson/validate.ts';
import { type Element, isNumber, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { referenceNames } from '../../language/field-path.ts';
import { isWildcard } from '../model/index-definition.ts';
import { cannotCreate } from './errors.ts';

/** Index types that a key pattern may have in place of a direction. */
const plugins: ReadonlySet<string> = new Set(['text', '2d', '2dsphere', 'hashed']);
const MAX_PARTS = 32;

/** Throws if the key pattern is invalid. */
export function checkKey(key: RawDocument): void {
  if (key.isEmpty) throw cannotCreate('Index keys cannot be empty.');
  const count = key.count();
  if (count > MAX_PARTS) throw new ServerError(13103, `too many compound keys: ${count}`);
  const parts = [...key];
  const names = new Set<string>();
  for (const part of parts) {
    if (names.has(part.name)) {
      throw new ServerError(
        'BadValue',
        `The field '${part.name}' appears multiple times in the index key pattern`,
      );
    }
    names.add(part.name);
    checkValue(part);
    checkName(part);
  }
  checkKinds(parts);
  checkWildcard(parts);
}

function checkValue(part: Element): void {
  if (isNumber(part)) {
    const direction = toNumber(part);
    if (Number.isNaN(direction)) throw cannotCreate('Values in the index key pattern cannot be NaN.');
    if (direction === 0) throw cannotCreate('Values in the index key pattern cannot be 0.');
  } else if (part.type !== bsonTypes.string) {
    throw cannotCreate(
      `Values in v:2 index key pattern cannot be of type ${typeName(part.type)}. ` +
        'Only numbers > 0, numbers < 0, and strings are allowed.',
    );
  } else if (textOf(part) === 'wildcard' && !isWildcard(part.name)) {
    throw new ServerError(
      7246202,
      "The index type 'wildcard' is said by the name of the field ($**), not by its value",
    );
  } else if (!plugins.has(textOf(part))) throw cannotCreate(`Unknown index plugin '${textOf(part)}'`);
}

function checkName(part: Element): void {
  const { name } = part;
  if (name === '') throw cannotCreate('Index keys cannot be an empty field.');
  const kind = part.type === bsonTypes.string ? textOf(part) : '';
  if (name === '_fts' && kind !== 'text') {
    throw cannotCreate("Index key contains an illegal field name: '_fts'");
  }
  // A text index can cover all fields of a document, but not all fields below a path.
  if (name === '$**' || (isWildcard(name) && kind !== 'text')) {
    checkWildcardName(name);
    return;
  }
  const steps = name.split('.', MAX_DEPTH + 1);
  if (steps.includes('')) throw cannotCreate('Index keys cannot contain an empty field.');
  const wrong = steps.some((step, i) => step.startsWith('$') && (i === 0 || !referenceNames.has(step)));
  if (wrong) throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
}

/** Throws if a part of the path before the wildcard is empty or begins with `$`. */
function checkWildcardName(name: string): void {
  const steps = name.split('.', MAX_DEPTH + 1).slice(0, -1);
  if (steps.includes('')) throw cannotCreate('Index keys cannot contain an empty field.');
  if (steps.some((step) => step.startsWith('$')))
    throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
}

function checkKinds(parts: readonly Element[]): void {
  const kinds = parts.map((part) => (part.type === bsonTypes.string ? textOf(part) : ''));
  const special = new Set(kinds.filter((kind) => kind !== ''));
  if (special.size > 1) throw cannotCreate("Can't use more than one index plugin for a single index.");
  const [kind] = special;
  const places = kinds.flatMap((one, i) => (one === '' ? [] : [i]));
  if (kind === 'hashed' && places.length > 1) {
    throw new ServerError(
      31303,
      `A maximum of one index field is allowed to be hashed but found ${places.length} for 'key'`,
    );
  }
  if (kind === '2d') {
    if (places.length > 1) throw new ServerError(16800, "can't have 2 geo fields");
    if (places[0] !== 0) throw new ServerError(16801, '2d has to be first in index');
  }
  const adjacent = places.every((place, i) => place === (places[0] as number) + i);
  if (kind === 'text' && !adjacent) {
    throw cannotCreate("'text' fields in index must all be adjacent");
  }
}

function checkWildcard(parts: readonly Element[]): void {
  const wild = parts.filter(({ name }) => isWildcard(name));
  const [first] = wild;
  if (first === undefined || first.type === bsonTypes.string) {
    if (first === undefined || textOf(first) === 'text') return;
    throw cannotCreate(`Index keys with a wildcard cannot be of the kind '${textOf(first)}'.`);
  }
  if (wild.length > 1)
    throw new ServerError(7246201, 'wildcard indexes do not allow more than one wildcard field');
  if (parts.some(({ type }) => type === bsonTypes.string)) {
    throw cannotCreate("Can't use more than one index plugin for a single index.");
  }
}

/** True for `{_id: 1}`, with a number of any type. */
export function isIdKey(key: RawDocument): boolean {
  const first = key.first();
  if (first === undefined || first.name !== '_id' || key.after(first) !== undefined) return false;
  return isNumber(first) && toNumber(first) === 1;
}
