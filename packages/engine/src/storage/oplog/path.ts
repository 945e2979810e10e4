import { bsonTypes } from '../../bson/bson-types.ts';
import { keysOfType } from '../../bson/keys.ts';
import type { Endpoint } from '../../language/filter/bounds.ts';
import type { AccessPath } from '../model/access-path.ts';
import type { Bound } from '../records/order.ts';
import type { Span } from './entry-scan.ts';
import { position } from './time.ts';

/** Returns the part of the oplog that an access path covers. Ignores intervals of `_id`, because entries have none. */
export function oplogSpan(path: AccessPath): Span {
  const times = path.kind === 'natural' ? path.times : undefined;
  return { low: boundOf(times?.low, 'low'), high: boundOf(times?.high, 'high') };
}

const [TIMESTAMP] = keysOfType(bsonTypes.timestamp).low;

/** Converts an endpoint to a position. Keys of types other than timestamp sort before or after all entries. */
function boundOf(endpoint: Endpoint | undefined, side: 'low' | 'high'): Bound | undefined {
  if (endpoint === undefined) return undefined;
  const { key, inclusive } = endpoint;
  const [type = 0] = key;
  if (type === TIMESTAMP && key.length === 9) {
    const view = new DataView(key.buffer, key.byteOffset, key.length);
    return { value: position(view.getBigUint64(1)), inclusive };
  }
  const before = type <= (TIMESTAMP ?? 0);
  if (before === (side === 'low')) return undefined;
  return { value: before ? -1 : Number.MAX_SAFE_INTEGER, inclusive: false };
}
