import { filterOf, slowQueryIn } from '../../performance-advisor/index.ts';

/** A slow query that scanned a whole collection. */
export interface Scan {
  /** The collection as `database.collection`. */
  readonly namespace: string;
  /** The filter fields. An index that starts with one of them would have avoided the scan. */
  readonly fields: readonly string[];
  /** The service time at which the query ran, in milliseconds since 1970. */
  readonly time: number;
}

/** The minimum number of examined documents for which an index is suggested. */
const MIN_EXAMINED = 1000;
/** An index is suggested if more than this many documents are examined for each returned document. */
const EXAMINED_PER_RETURNED = 10;

/** Maximum number of scans that are remembered for a cluster. */
const MAX_SCANS = 200;
/** Maximum number of characters of the fields and the namespace of a scan that is remembered. */
const MAX_CHARACTERS = 4096;

/** Adds a scan to the newest scans of a cluster, by collection and fields. */
export function remember(scans: Map<string, Scan>, scan: Scan): void {
  const key = `${scan.namespace} ${scan.fields.join()}`;
  if (key.length > MAX_CHARACTERS) return;
  scans.delete(key);
  scans.set(key, scan);
  const [oldest] = scans.keys();
  if (scans.size > MAX_SCANS && oldest !== undefined) scans.delete(oldest);
}

/**
 * Parses the log line of a slow collection scan. Returns undefined for any other line, and for scans for
 * which no index is suggested.
 */
export function scanIn(line: string): Scan | undefined {
  // Fast path: parsing is expensive, and most lines report something else.
  if (!line.includes('"COLLSCAN"')) return undefined;
  const query = slowQueryIn(line);
  if (query?.planSummary !== 'COLLSCAN') return undefined;
  const { namespace, time, command, docsExamined, nreturned = 1 } = query;
  if (docsExamined < MIN_EXAMINED || docsExamined <= EXAMINED_PER_RETURNED * nreturned) return undefined;
  const fields = Object.keys(filterOf(command)).filter((name) => !name.startsWith('$'));
  return fields.length === 0 ? undefined : { namespace, fields, time };
}

/**
 * Whether the collection of a scan lacked an index. `reply` is the reply to `listIndexes`. Returns false if one of
 * its indexes could have replaced the scan, or if the collection no longer exists.
 */
export function missedIndex({ fields }: Scan, reply: object): boolean {
  const { ok, cursor } = reply as { ok?: unknown; cursor?: { firstBatch?: ReadonlyArray<{ key?: object }> } };
  if (Number(ok) !== 1) return false;
  const first = cursor?.firstBatch?.map(({ key = {} }) => Object.keys(key)[0]) ?? [];
  return !first.some((name) => name !== undefined && fields.includes(name));
}
