import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { Mark, Position, StoredSegment } from './segment.ts';

interface Tables {
  backup_oplog: { cluster_id: string; group_id: string; host: string; document: string };
  backup_oplog_segment: {
    cluster_id: string;
    span: string;
    seconds: number;
    increment: number;
    document: string;
  };
}

/** A part of a cluster's history that was archived without a gap. */
export interface Span {
  readonly id: string;
  /** The entry behind which it begins. */
  readonly begun: Mark;
  /** Service time at which it began, ISO 8601: no moment before is reached by it. */
  readonly started: string;
  /** The newest snapshot there was then: only later ones are surely of this history. */
  readonly since: string;
  /** The last one that is archived. */
  readonly through: Mark;
  /** Service time at which there was no later one, ISO 8601. */
  readonly checked: string;
}

interface OplogFacts {
  /** The oldest first. The last one goes on, until a gap or its end. */
  readonly spans: readonly Span[];
  /** How far back a moment may lie. */
  readonly windowDays: number;
  /** The one moment for which a task waits, ISO 8601. */
  readonly next?: string | undefined;
  /** A task that archives has been asked for and has not ended. */
  readonly asked?: boolean;
  /** Objects are being put that no row names yet. */
  readonly writing?: boolean;
  /** When segments were removed last, ISO 8601. */
  readonly trimmed?: string;
  /** Why it cannot be archived, and when that was found out, ISO 8601. */
  readonly problem?: { readonly reason: string; readonly at: string } | undefined;
  /** The cluster is gone since then, ISO 8601; snapshots of it are kept. */
  readonly ended?: string;
}

/** The archived oplog of a cluster. */
export interface OplogRow {
  readonly clusterId: string;
  readonly groupId: string;
  readonly host: string;
  readonly facts: OplogFacts;
}

const facts = codec.json<OplogFacts>();
const segment = codec.json<StoredSegment>();

function readOplogRow(row: Selectable<Tables['backup_oplog']>): OplogRow {
  return {
    clusterId: row.cluster_id,
    groupId: row.group_id,
    host: row.host,
    facts: facts.read(row.document),
  };
}

/** In the place of the one that is there. */
export async function putOplog(
  tx: Tx,
  { clusterId, groupId, host, facts: document }: OplogRow,
): Promise<void> {
  const columns = { document: facts.write(document) };
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

/** Those of a span that end behind a position, in order. */
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

/** Those of a span that end no later than a position. */
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

/** Every one of a cluster. */
export async function allSegments(tx: ReadTx, clusterId: string): Promise<StoredSegment[]> {
  const query = tx.from<Tables>().selectFrom('backup_oplog_segment').select('document');
  const rows = await query.where('cluster_id', '=', clusterId).execute();
  return rows.map(({ document }) => segment.read(document));
}
