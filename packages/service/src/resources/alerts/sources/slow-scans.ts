/** A slow query that had to read a whole collection. */
export interface Scan {
  /** `database.collection` */
  readonly namespace: string;
  /** What it asked for: an index that begins with one of them would have helped. */
  readonly fields: readonly string[];
  /** Service time, milliseconds. */
  readonly time: number;
}

/** Reading so many documents is not worth an index. */
const FEW = 1000;
/** Documents read for each one that is answered, above which an index would help. */
const MUCH = 10;

/** The scan that a line of a member's log tells of; undefined for every other line. */
export function scanIn(line: string): Scan | undefined {
  // Most lines are about something else, and parsing takes its time.
  if (!line.includes('"COLLSCAN"')) return undefined;
  const { t, msg, attr = {} } = JSON.parse(line) as Line;
  const { ns = '', planSummary, docsExamined = 0, nreturned = 1, command = {} } = attr;
  const isScan = msg === 'Slow query' && planSummary === 'COLLSCAN';
  if (!isScan || docsExamined < FEW || docsExamined <= MUCH * nreturned) return undefined;
  const fields = Object.keys(filterOf(attr.originatingCommand ?? command)).filter(
    (name) => !name.startsWith('$'),
  );
  return fields.length === 0 ? undefined : { namespace: ns, fields, time: Date.parse(t?.$date ?? '') };
}

interface Line {
  readonly t?: { readonly $date?: string };
  readonly msg?: string;
  readonly attr?: {
    readonly ns?: string;
    readonly planSummary?: string;
    readonly docsExamined?: number;
    readonly nreturned?: number;
    readonly command?: Asked;
    readonly originatingCommand?: Asked;
  };
}

interface Asked {
  readonly filter?: object;
  readonly query?: object;
  readonly pipeline?: ReadonlyArray<{ readonly $match?: object }>;
  readonly updates?: ReadonlyArray<{ readonly q?: object }>;
  readonly deletes?: ReadonlyArray<{ readonly q?: object }>;
}

function filterOf({ filter, query, pipeline, updates, deletes }: Asked): object {
  return filter ?? query ?? pipeline?.[0]?.$match ?? updates?.[0]?.q ?? deletes?.[0]?.q ?? {};
}

/** Whether none of the indexes of a collection, as `listIndexes` answers them, would have helped; not when it is gone. */
export function missedIndex({ fields }: Scan, reply: object): boolean {
  const { ok, cursor } = reply as { ok?: unknown; cursor?: { firstBatch?: ReadonlyArray<{ key?: object }> } };
  if (Number(ok) !== 1) return false;
  const first = cursor?.firstBatch?.map(({ key = {} }) => Object.keys(key)[0]) ?? [];
  return !first.some((name) => name !== undefined && fields.includes(name));
}
