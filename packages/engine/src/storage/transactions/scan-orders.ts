import type { Interval } from '../../language/filter/bounds.ts';
import { documentKeys } from '../indexes/document-keys.ts';
import type { AccessPath } from '../model/access-path.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import type { KeyRange } from '../model/range.ts';
import { idKey } from '../records/id-key.ts';
import type { ScanOrder } from './overlay-scan.ts';

/** A position on a path: first by key, if the path has keys, then by row. */
export interface Position {
  readonly key: Uint8Array;
  readonly rid: number;
}

const noKey = new Uint8Array(0);

/** Returns the order of written documents on an access path. With `clustered`, the natural order is that of `_id`. */
export function orderOf(path: AccessPath, clustered: boolean): ScanOrder<Position> {
  const keyOf = keyReader(path, clustered);
  const sign = path.reverse ? -1 : 1;
  return {
    positionOf({ doc, rid }) {
      const key = keyOf(doc);
      return key && { key, rid };
    },
    compare: (a, b) => sign * (Buffer.compare(a.key, b.key) || a.rid - b.rid),
  };
}

type KeyReader = (doc: Parameters<typeof idKey>[0]) => Uint8Array | undefined;

function keyReader(path: AccessPath, clustered: boolean): KeyReader {
  if (path.kind === 'index') return indexKeyReader(path.index, path.ranges, path.reverse);
  if (path.kind === 'natural') return clustered ? idKey : () => noKey;
  const intervals = path.kind === 'byId' ? path.intervals : undefined;
  if (intervals === undefined) return idKey;
  return (doc) => {
    const key = idKey(doc);
    return intervals.some((interval) => isWithin(key, interval)) ? key : undefined;
  };
}

/** Returns a function that returns the first key of a document on the path. */
function indexKeyReader(index: IndexDefinition, ranges: readonly KeyRange[], reverse: boolean): KeyReader {
  return (doc) => {
    const keys = documentKeys(index, doc).keys.filter((key) => ranges.some((range) => isInRange(key, range)));
    const sorted = keys.sort(Buffer.compare);
    return reverse ? sorted.at(-1) : sorted[0];
  };
}

function isInRange(key: Uint8Array, { low, high }: KeyRange): boolean {
  return Buffer.compare(key, low) >= 0 && (high === undefined || Buffer.compare(key, high) < 0);
}

function isWithin(key: Uint8Array, { low, high }: Interval): boolean {
  const [fromLow, toHigh] = [Buffer.compare(key, low.key), Buffer.compare(high.key, key)];
  return (low.inclusive ? fromLow >= 0 : fromLow > 0) && (high.inclusive ? toHigh >= 0 : toHigh > 0);
}
