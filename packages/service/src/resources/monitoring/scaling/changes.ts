import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, changeCluster, clusterById } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { type Sums, sumOfAll } from '../figures/sums.ts';
import { lastSamples, measurementsIn } from '../measured/rows.ts';
import { readSums } from '../measured/stored.ts';
import { findScaling, saveScaling } from './rows.ts';
import { computeScaling, diskScaling, isAutoScaled, type Load, type Scaling } from './rules.ts';

const MINUTE_S = 60;
const MINUTE_MS = 60_000;
/** The longest period that scaling evaluates. */
const MAX_MINUTES = 240;
/** Minimum share of minutes that must have measurements. Minutes in which members restart for a change have none. */
const MEASURED_SHARE = 0.8;

/**
 * Scales the disk or the instance size of a cluster according to its load. If scaling is not possible,
 * records an event with the reason, once until the cluster is changed.
 */
export async function scaleCluster(tx: Tx, clusterId: string): Promise<void> {
  const cluster = await clusterById(tx, clusterId);
  if (cluster?.state !== 'IDLE' || cluster.paused || !isAutoScaled(cluster)) return;
  const row = await findScaling(tx, clusterId);
  const load = await loadOf(tx, cluster);
  const changed = row.changed ?? cluster.created;
  const scaling = diskScaling(cluster, load) ?? computeScaling(cluster, load, { now: tx.now, changed });
  if (scaling === undefined) return;
  const { event, change } = scaling;
  if (change === undefined) {
    if (row.refused[event] === cluster.generation) return;
    await saveScaling(tx, { ...row, refused: { ...row.refused, [event]: cluster.generation } });
  } else {
    if ('instanceSize' in change) await saveScaling(tx, { ...row, changed: tx.now });
    await changeCluster(tx, cluster, { spec: { ...cluster.spec, ...change } }, system);
  }
  await record(tx, cluster, event);
}

function record(tx: Tx, { groupId, name }: ClusterModel, type: Scaling['event']): Promise<void> {
  return recordInProject(tx, groupId, { type, actor: system, clusterName: name });
}

async function loadOf(tx: Tx, { id, placement }: ClusterModel): Promise<Load> {
  const nodes = placement.members.filter((member) => !member.id.startsWith('router-'));
  const end = tx.now.getTime();
  const range = { start: end - MAX_MINUTES * MINUTE_MS, end };
  const minutesOf = async (memberId: string) => {
    const rows = await measurementsIn(tx, { clusterId: id, memberId, seconds: MINUTE_S }, range);
    return rows.map(({ start, document }) => ({ start, sums: readSums(document) }));
  };
  const measured = await Promise.all(nodes.map(({ id: memberId }) => minutesOf(memberId)));
  const last = [...(await lastSamples(tx, id)).values()];
  return {
    used: Math.max(0, ...last.map(({ disk }) => disk.used)),
    resident: Math.max(0, ...last.map(({ memory }) => memory.resident)),
    processor(minutes) {
      const shares = measured.map((rows) => {
        const recent = rows.filter(({ start }) => start >= end - minutes * MINUTE_MS);
        return recent.length < minutes * MEASURED_SHARE
          ? undefined
          : shareOf(sumOfAll(recent.map(({ sums }) => sums)));
      });
      const known = shares.filter((share) => share !== undefined);
      return known.length < measured.length ? undefined : Math.max(...known);
    },
  };
}

/** Returns CPU time as a percentage of one processor. */
function shareOf({ counts: { user = 0, kernel = 0 }, millis }: Sums): number {
  return millis === 0 ? 0 : (100 * (user + kernel)) / (millis * 1000);
}
