import { bsonTypes } from '../bson/bson-types.ts';
import { toNumber } from '../bson/numbers/convert.ts';
import type { RawDocument } from '../bson/raw.ts';
import { type Element, isNumber } from '../bson/value.ts';
import { plannerError } from '../errors/planner-error.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Collection } from '../storage/collection/collection.ts';
import { keysEqual } from '../storage/index-specs/existing.ts';
import { isIdKey } from '../storage/index-specs/key.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { isUsable } from './usable.ts';

/** A parsed `hint`. */
export type Hint =
  | { readonly kind: 'none' | 'byId' }
  | { readonly kind: 'natural'; readonly reverse: boolean }
  | { readonly kind: 'index'; readonly index: IndexDefinition };

/**
 * Parses a hint. Throws `BadValue` if the index does not exist or cannot be used, and `IndexNotFound` if several
 * indexes have the key pattern. Without a collection, checks no index.
 */
export function readHint(hint: RawDocument | string | undefined, collection: Collection | undefined): Hint {
  if (hint === undefined) return { kind: 'none' };
  if (typeof hint !== 'string') {
    const first = hint.first();
    if (first === undefined) return { kind: 'none' };
    if (first.name === '$natural') {
      return { kind: 'natural', reverse: directionOf(first, hint) < 0 };
    }
    if (isIdKey(hint) && collection?.identified !== false) return { kind: 'byId' };
  } else if (hint === idName(collection)) return { kind: 'byId' };
  if (collection === undefined) return { kind: 'none' };
  const [index, ...others] = collection.indexes.filter(
    (one) =>
      isUsable(one, collection) && (typeof hint === 'string' ? one.name === hint : keysEqual(one.key, hint)),
  );
  if (index !== undefined && others.length === 0) return { kind: 'index', index };
  if (index !== undefined) {
    throw new ServerError(
      'IndexNotFound',
      `Hint matched multiple indexes, must hint by index name. Matched: ${[index, ...others]
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  throw noIndex();
}

/** Returns the direction of `$natural`, 1 or -1. Throws if the hint has any other field. */
function directionOf(first: Element, hint: RawDocument): number {
  const direction = isNumber(first) ? toNumber(first) : 0;
  if (Math.abs(direction) === 1 && hint.after(first) === undefined) return direction;
  throw new ServerError('BadValue', '$natural hint may only accept a direction of 1 or -1, and nothing else');
}

function idName(collection: Collection | undefined): string | undefined {
  if (collection?.identified === false) return undefined;
  const clustered = collection?.options.get('clusteredIndex');
  if (clustered?.type !== bsonTypes.object) return '_id_';
  return collection?.options.document('clusteredIndex')?.string('name') ?? '_id_';
}

function noIndex(): ServerError {
  return plannerError('hint provided does not correspond to an existing index', 'BadValue');
}
