import { describe } from '../../bson/describe.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { cannotCreate } from './errors.ts';
import { isIdKey } from './key.ts';

/** Options that an index on `_id` may have. */
const allowedForId: ReadonlySet<string> = new Set(['key', 'name', 'ns', 'v', 'collation']);

/**
 * Options that an index on `_id` may have in a clustered collection. The documents of such a collection are stored in
 * this index.
 */
const allowedForClustered: ReadonlySet<string> = new Set([...allowedForId, 'clustered', 'unique']);

/** Throws if an index on `_id` has an option that it may not have, or if another index uses the name `_id_`. */
export function checkForId(key: RawDocument, name: string, options: ReadonlySet<string>): void {
  if (isIdKey(key)) {
    checkOptions(options);
    return;
  }
  if (isOverId(key)) {
    throw new ServerError(
      'BadValue',
      `The field 'key' for an _id index must be {_id: 1}, but got ${describe(key.toValue())}`,
    );
  }
  if (name === '_id_') {
    throw new ServerError(
      'BadValue',
      "The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}, " +
        `found ${describe(key.toValue())}`,
    );
  }
}

function checkOptions(options: ReadonlySet<string>): void {
  const allowed = options.has('clustered') ? allowedForClustered : allowedForId;
  for (const name of options) {
    if (allowed.has(name)) continue;
    throw new ServerError(
      'InvalidIndexSpecificationOption',
      `The field '${name}' is not valid for an _id index specification.`,
    );
  }
}

/**
 * Checks the option `clustered`, which only confirms that an index on `_id` is clustered. `options` contains the flags
 * that are set.
 */
export function checkClustered(given: RawDocument, options: ReadonlyMap<string, Value>): void {
  if (!given.has('clustered')) return;
  const other = [...options.keys()].find((name) => !allowedForClustered.has(name));
  if (other !== undefined) {
    throw new ServerError(
      'InvalidIndexSpecificationOption',
      `The field '${other}' is not valid for a clustered index specification.`,
    );
  }
  if (!options.has('clustered'))
    throw new ServerError(6492800, "Value 'false' for field 'clustered' is invalid");
  if (!options.has('unique'))
    throw cannotCreate("The 'unique' field is required when 'clustered' is specified");
}

/** True for `{_id: 1}` and `{_id: -1}`. No other index may have these keys. */
function isOverId(key: RawDocument): boolean {
  const first = key.first();
  if (first === undefined || first.name !== '_id' || key.after(first) !== undefined) return false;
  return isNumber(first) && Math.abs(Math.trunc(toNumber(first))) === 1;
}
