import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** What an index of `_id` may say besides its key. */
const allowedForId: ReadonlySet<string> = new Set([
  'key',
  'name',
  'ns',
  'v',
  'collation',
  'background',
  'clustered',
  'unique',
]);

export function checkIdIndex(options: ReadonlyMap<string, Value>): void {
  if (options.has('hidden')) throw new ServerError('BadValue', "can't hide _id index");
  for (const name of options.keys()) {
    if (allowedForId.has(name)) continue;
    throw new ServerError(
      'InvalidIndexSpecificationOption',
      `The field '${name}' is not valid for an _id index specification.`,
    );
  }
}
