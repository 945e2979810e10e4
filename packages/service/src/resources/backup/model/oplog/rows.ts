import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../../store/index.ts';
import type { Mark, Position, StoredSegment } from './segment.ts';

interface Tables {
  backup_oplog: {
    cluster_id: string;
    group_id: string;
    host: string;
    spans: string;
    window_days: number;
    next: number | null;
    runs: number;
    asked: number;
    writing: number;
    trimmed: number | null;
    problem: string | null;
    problem_at: number | null;
    ended: number | null;
  };
  backup_oplog_segment: {
    cluster_id: string;
    span: string;
    seconds: number;
    increment: number;
    document: string;
  };
}

/** A range of a cluster's oplog that is archived without a gap. */
export interface Span {
  readonly id: string;
  /** The entry before the first segment. */
  readonly begun: Mark;
  /** The earliest service time to which the span can be restored, ISO 8601. */
  readonly started: string;
  /**
   * The id of the newest snapshot at the time when the span began. Only later snapshots certainly belong to the history
   * of the span.
   */
  readonly since: string;
  /** The last archived entry. */
  readonly through: Mark;
  /**
   * The time at which the oplog had no entry after `through`, ISO 8601. This is service time, or the time of the servers
   * if it is earlier.
   */
  readonly checked: string;
  /** Service time just before the oplog was read last, ISO 8601. Absent in rows of earlier versions. */
  readonly read?: string;
}

/** Service time just before the oplog was read last, ISO 8601. */
export const readOf = ({ read, checked }: Span): string => read ?? checked;

interface OplogFacts {
  /** The spans, oldest first. Only the last span grows. */
  readonly spans: readonly Span[];
  /** The length of the restore window in days. */
  readonly windowDays: number;
  /** The due time of the next archive run. */
  readonly next?: Date | undefined;
  /** How many archive runs have ended. */
  readonly runs?: number;
  /** Whether an archive run is enqueued or in progress. */
  readonly asked?: boolean;
  /** Whether the store may contain objects without rows. */
  readonly writing?: boolean;
  /** When segments were removed last. */
  readonly trimmed?: Date | undefined;
  /** Why the last archive run failed, and when. */
  readonly problem?: { readonly reason: string; readonly at: Date } | undefined;
  /** When the cluster was removed, if its snapshots are retained. */
  readonly ended?: Date | undefined;
}

/** The archived oplog of a cluster. */
export interface OplogRow {
  readonly clusterId: string;
  readonly groupId: string;
  readonly host: string;
  readonly facts: OplogFacts;
}

const spans = codec.json<readonly Span[]>();
const segment = codec.json<StoredSegment>();

function readOplogRow(row: Selectable<Tables['backup_oplog']>): OplogRow {
  return {
    clusterId: row.cluster_id,
    groupId: row.group_id,
    host: row.host,
    facts: {
      spans: spans.read(row.spans),
      windowDays: row.window_days,
      next: codec.optionalDate.read(row.next),
      runs: row.runs,
      asked: codec.boolean.read(row.asked),
      writing: codec.boolean.read(row.writing),
      trimmed: codec.optionalDate.read(row.trimmed),
      problem: readProblem(row.problem, codec.optionalDate.read(row.problem_at)),
      ended: codec.optionalDate.read(row.ended),
    },
  };
}

function readProblem(reason: string | null, at: Date | undefined): OplogFacts['problem'] {
  return reason === null || at === undefined ? undefined : { reason, at };
}

function columnsOf(facts: OplogFacts) {
  const { problem } = facts;
  return {
    spans: spans.write(facts.spans),
    window_days: facts.windowDays,
    next: codec.optionalDate.write(facts.next),
    runs: facts.runs ?? 0,
    asked: codec.boolean.write(facts.asked === true),
    writing: codec.boolean.write(facts.writing === true),
    trimmed: codec.optionalDate.write(facts.trimmed),
    problem: problem?.reason ?? null,
    problem_at: codec.optionalDate.write(problem?.at),
    ended: codec.optionalDate.write(facts.ended),
  };
}

/** Inserts or replaces the row. */
export async function putOplog(tx: Tx, { clusterId, groupId, host, facts }: OplogRow): Promise<void> {
  const columns = columnsOf(facts);
  await tx
    .from<Tables>()
    .insertInto('backup_oplog')
    .values({ cluster_id: clusterId, group_id: groupId, host, ...columns })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(columns))
    .execute();
}

export async function deleteOplog(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_oplog').where('cluster_id', '=', clusterId).execute();
}

export async function oplogOf(tx: ReadTx, clusterId: string): Promise<OplogRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_oplog').selectAll();
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  return row && readOplogRow(row);
}

export async function oplogsIn(tx: ReadTx, groupId: string): Promise<OplogRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_oplog').selectAll();
  return (await query.where('group_id', '=', groupId).execute()).map(readOplogRow);
}

export async function insertSegments(
  tx: Tx,
  clusterId: string,
  span: string,
  segments: readonly StoredSegment[],
): Promise<void> {
  for (const one of segments) {
    const { seconds, increment } = one.to;
    await tx
      .from<Tables>()
      .insertInto('backup_oplog_segment')
      .values({ cluster_id: clusterId, span, seconds, increment, document: segment.write(one) })
      .execute();
  }
}

/** Returns the segments of a span that end after a position, in order. */
export async function segmentsBehind(
  tx: ReadTx,
  clusterId: string,
  span: string,
  { seconds, increment }: Position,
): Promise<StoredSegment[]> {
  const query = tx.from<Tables>().selectFrom('backup_oplog_segment').select('document');
  const rows = await query
    .where('cluster_id', '=', clusterId)
    .where('span', '=', span)
    .where((either) =>
      either.or([
        either('seconds', '>', seconds),
        either.and([either('seconds', '=', seconds), either('increment', '>', increment)]),
      ]),
    )
    .orderBy('seconds')
    .orderBy('increment')
    .execute();
  return rows.map(({ document }) => segment.read(document));
}

/** Returns the segments of a span that end at or before a position. */
export async function segmentsUpTo(
  tx: ReadTx,
  clusterId: string,
  span: string,
  position: Position,
): Promise<StoredSegment[]> {
  const { seconds, increment } = position;
  const query = tx.from<Tables>().selectFrom('backup_oplog_segment').select('document');
  const rows = await query
    .where('cluster_id', '=', clusterId)
    .where('span', '=', span)
    .where((either) =>
      either.or([
        either('seconds', '<', seconds),
        either.and([either('seconds', '=', seconds), either('increment', '<=', increment)]),
      ]),
    )
    .execute();
  return rows.map(({ document }) => segment.read(document));
}

export async function deleteSegment(
  tx: Tx,
  clusterId: string,
  span: string,
  { seconds, increment }: Position,
): Promise<void> {
  await tx
    .from<Tables>()
    .deleteFrom('backup_oplog_segment')
    .where('cluster_id', '=', clusterId)
    .where('span', '=', span)
    .where('seconds', '=', seconds)
    .where('increment', '=', increment)
    .execute();
}

export async function allSegments(tx: ReadTx, clusterId: string): Promise<StoredSegment[]> {
  const query = tx.from<Tables>().selectFrom('backup_oplog_segment').select('document');
  const rows = await query.where('cluster_id', '=', clusterId).execute();
  return rows.map(({ document }) => segment.read(document));
}
