import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect } from '../packages/portolan/src/tour/client.ts';
import { startService } from '../packages/portolan/src/tour/process.ts';
import { atMost, type Figure, median } from './figure.ts';
import { type Client, clusterBody, milliseconds, withFolder } from './support.ts';

const FEW = 100;
const MANY = 100_000;
const SAMPLES = 100;
/** Figures that differ by less than this factor count as equal, since a shared machine is noisy. */
const SAME = 1.5;

interface Costs {
  readonly first: number;
  readonly next: number;
}

/** Whether a page of a cluster's snapshots takes as long with 100,000 snapshots as with a hundred. */
export async function snapshotLists(): Promise<Figure[]> {
  const few = await costsWith(FEW);
  const many = await costsWith(MANY);
  const figure = (name: string, of: keyof Costs): Figure => ({
    name: `${name} of ${MANY.toLocaleString('en')} snapshots`,
    value: many[of],
    unit: 'ms',
    baseline: { name: `${FEW} snapshots`, value: few[of] },
    target: atMost(SAME, 'ratio'),
  });
  return [figure('first page', 'first'), figure('middle page, by the link `next`,', 'next')];
}

function costsWith(snapshots: number): Promise<Costs> {
  return withFolder(async (folder) => {
    const first = await startService(folder);
    const { groupId, clusterId } = await withCluster(
      await connect({ ...first.bootstrap, authority: first.authority }),
      first.bootstrap.orgId,
    );
    await first.stop();
    seed(join(folder, 'portolan.sqlite'), groupId, clusterId, snapshots);
    const service = await startService(folder);
    try {
      const client = await connect({ ...service.bootstrap, authority: service.authority });
      return await costs(client, `/groups/${groupId}/clusters/kept/backup/snapshots`, snapshots);
    } finally {
      await service.stop();
    }
  });
}

async function withCluster(client: Client, orgId: string) {
  const { body: project } = await client.call('POST', '/groups', { name: 'Kept', orgId });
  const groupId = String(project.id);
  const { body: cluster } = await client.call('POST', `/groups/${groupId}/clusters`, {
    ...clusterBody('kept'),
    providerBackupEnabled: true,
  });
  return { groupId, clusterId: String(cluster.id) };
}

async function costs(client: Client, path: string, snapshots: number): Promise<Costs> {
  const page = `${path}?itemsPerPage=20`;
  const { body } = await client.call('GET', `${page}&pageNum=${Math.max(1, Math.floor(snapshots / 40))}`);
  const links = body.links as { rel: string; href: string }[];
  const next = new URL(links.find((link) => link.rel === 'next')?.href ?? '');
  return {
    first: await cost(() => client.call('GET', page)),
    next: await cost(() => client.call('GET', `${path}${next.search}`)),
  };
}

async function cost(call: () => Promise<{ status: number }>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const start = performance.now();
    const { status } = await call();
    times.push(milliseconds(start));
    if (status >= 300) throw new Error(`a call was answered with ${status}`);
  }
  return median(times);
}

/** Inserts rows as the service would, but many times faster. No snapshot expires. */
function seed(file: string, groupId: string, clusterId: string, snapshots: number): void {
  const database = new DatabaseSync(file);
  database.exec('BEGIN');
  const row = database.prepare(
    `INSERT INTO backup_snapshot
      (id, group_id, cluster_id, host, status, snapshot_type, created, expires, cluster_name, frequency, retention_value,
        retention_unit, storage_bytes, version, provider)
      VALUES (?, ?, ?, 'bench', 'completed', 'onDemand', 0, 99999999999999, 'kept', 'ondemand', 1000, 'YEARS', 1, '8.0.4', 'AWS')`,
  );
  for (let i = 0; i < snapshots; i++) {
    row.run((0x6000_0000_0000 + i).toString(16).padStart(24, '0'), groupId, clusterId);
  }
  database
    .prepare("INSERT INTO counter (scope, kind, shard, count) VALUES (?, 'snapshots', 0, ?)")
    .run(`cluster:${clusterId}`, snapshots);
  database.exec('COMMIT');
  database.close();
}
