import { type OplogMark, type OplogPosition, oplogFramesOf } from '@portolan/engine/management';
import type { Store } from '../../../store/index.ts';
import { type ClusterModel, clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { hasOpenRestore, lastRestored } from '../restores/rows.ts';
import { type SnapshotRow, snapshotsOf } from '../snapshots/rows.ts';
import { OplogVault } from '../vault/oplog-vault.ts';
import { type Archived, type ArchiveWork, windowDaysOf } from './changes.ts';
import { type OplogRow, oplogOf, putOplog, segmentsUpTo } from './rows.ts';
import type { StoredSegment } from './segment.ts';
import { basesOf, unneededUpTo } from './window.ts';

/** Segments that are needed no more are looked for once in so long. */
const TRIM_MS = 3_600_000;

interface Found {
  readonly row: OplogRow;
  readonly cluster: ClusterModel;
  readonly snapshots: readonly SnapshotRow[];
  /** When data was last restored into it. */
  readonly restored: Date | undefined;
  readonly windowDays: number;
}

/**
 * Puts what has been written to a cluster since the last archive into the snapshot store. Undefined where there is
 * nothing to archive: the cluster is not there yet, or no more, or nobody wants it.
 */
export async function archiveOplog(
  services: Pick<Services, 'clock' | 'engines' | 'snapshots'>,
  store: Store,
  { clusterId, last = false }: ArchiveWork,
): Promise<Archived | undefined> {
  const found = await store.read((tx) => find(tx, clusterId, last));
  if (found === undefined) return undefined;
  const { row, cluster, windowDays } = found;
  const now = services.clock.now();
  const checked = now.toISOString();
  const keeper = new Keeper(store, new OplogVault(services.snapshots, clusterId), row);
  const engine = services.engines.at(cluster.host);
  for (const { after, started } of beginnings(found, now)) {
    const archived = await keeper.keep(engine.oplog(clusterId, after), after);
    if (archived === undefined) continue;
    const going = await goingOf(store, found, now);
    const dates = { checked, started: started.toISOString() };
    return { ...archived, ...dates, windowDays, ...(going === undefined ? {} : { going }) };
  }
  return undefined;
}

async function find(
  tx: Parameters<Parameters<Store['read']>[0]>[0],
  clusterId: string,
  last: boolean,
): Promise<Found | undefined> {
  const row = await oplogOf(tx, clusterId);
  const cluster = await clusterById(tx, clusterId);
  if (row === undefined || cluster === undefined) return undefined;
  if (cluster.state === 'CREATING' || (cluster.state === 'DELETING' && !last)) return undefined;
  return {
    row,
    cluster,
    snapshots: await snapshotsOf(tx, clusterId),
    restored: await lastRestored(tx, clusterId),
    windowDays: await windowDaysOf(tx, cluster),
  };
}

interface Beginning {
  readonly after: OplogMark | OplogPosition | undefined;
  /** Of a span that begins with it: service time from which on moments are reached. */
  readonly started: Date;
}

/**
 * Where it may begin: behind what is archived; where that is gone there is a gap, and a new span begins with the last
 * snapshot, if the oplog still has its place, or else now. What was between that snapshot and a restore is another
 * history.
 */
function beginnings({ row, snapshots, restored }: Found, now: Date): readonly Beginning[] {
  const through = row.facts.spans.at(-1)?.through;
  const last = basesOf(snapshots).at(-1)?.position;
  const taken = last === undefined ? now : new Date(last.seconds * 1000);
  return [
    ...(through === undefined ? [] : [{ after: through, started: now }]),
    ...(last === undefined
      ? []
      : [{ after: last, started: restored && restored > taken ? restored : taken }]),
    { after: undefined, started: now },
  ];
}

class Keeper {
  readonly #store: Store;
  readonly #vault: OplogVault;
  readonly #row: OplogRow;
  #isTold = false;

  constructor(store: Store, vault: OplogVault, row: OplogRow) {
    this.#store = store;
    this.#vault = vault;
    this.#row = row;
    this.#isTold = row.facts.writing === true;
  }

  /** Undefined where the entry that was asked for is gone. */
  async keep(bytes: AsyncIterable<Uint8Array>, after: OplogMark | OplogPosition | undefined) {
    const segments: StoredSegment[] = [];
    let begun: OplogMark | undefined;
    let through: OplogMark | undefined;
    for await (const frame of oplogFramesOf(bytes)) {
      if (frame.kind === 'head') {
        if (!frame.head.whole && after !== undefined) return undefined;
        begun = frame.head.after;
      } else if (frame.kind === 'end') through = frame.to;
      else {
        await this.#tell();
        await this.#vault.keep(frame.segment, frame.content);
        segments.push({ ...frame.segment, bytes: frame.content.length });
      }
    }
    if (begun === undefined || through === undefined) throw new Error('the oplog was cut off');
    const goesOn = after !== undefined && 'digest' in after;
    return { begun, segments, through, ...(goesOn ? { from: after } : {}) };
  }

  /** Whoever comes after a crash in the middle knows by this that there are objects without rows. */
  async #tell(): Promise<void> {
    if (this.#isTold) return;
    this.#isTold = true;
    await this.#store.write(async (tx) => {
      const row = await oplogOf(tx, this.#row.clusterId);
      if (row) await putOplog(tx, { ...row, facts: { ...row.facts, writing: true } });
    });
  }
}

/** Segments that no moment of the window needs; undefined where it is not yet time to look, or somebody reads them. */
async function goingOf(
  store: Store,
  { row, snapshots, windowDays }: Found,
  now: Date,
): Promise<Archived['going']> {
  const { clusterId, facts } = row;
  if (now.getTime() - Date.parse(facts.trimmed ?? '1970-01-01') < TRIM_MS) return undefined;
  return store.read(async (tx) => {
    if (await hasOpenRestore(tx, clusterId)) return undefined;
    const all = facts.spans.map(async (span) => {
      const upTo = unneededUpTo(span, snapshots, { now: now.getTime(), windowDays });
      return { span: span.id, segments: await segmentsUpTo(tx, clusterId, span.id, upTo) };
    });
    return (await Promise.all(all)).filter(({ segments }) => segments.length > 0);
  });
}
