import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { allowAccess, driverFor } from './drivers.ts';
import { expectStatus, until } from './expect.ts';
import type { Setup } from './setups.ts';
import { idIn, type Link, newCluster, newProject } from './stage.ts';

/** Helpers for tests of backups. */

export interface SnapshotDocument {
  readonly id: string;
  readonly status: string;
  readonly createdAt?: string;
  readonly expiresAt: string;
  readonly storageSizeBytes: number;
}

export interface RestoreDocument {
  readonly id: string;
  readonly failed: boolean;
  readonly finishedAt?: string;
  readonly result?: object;
}

/** Returns a path below the folder of a cluster in the snapshot store, which several instances may share. */
export function inSnapshotStore({ instances, settings }: Setup, ...parts: readonly string[]): string {
  const own = join(instances[0]?.dataDirectory ?? '', 'snapshots');
  return join(settings['snapshot-store']?.toString() ?? own, ...parts);
}

export const backedUp = { providerBackupEnabled: true };

/** Returns the fields of a body for the target of a restore. */
export const into = (project: string, targetClusterName: string, snapshotId: string) => {
  return { snapshotId, targetGroupId: idIn(project), targetClusterName };
};

/** Delays the restores to clusters of a project until the test ends, or until the returned function is called. */
export async function holdRestores({ operator }: Setup, t: TestContext, project: string) {
  const rule = { groupId: idIn(project), work: { kinds: ['RESTORE'], outcome: 'HELD' } };
  const { id } = expectStatus(await operator.post('/operator/v1/faults', rule), 201);
  const release = async () => void (await operator.delete(`/operator/v1/faults/${id}`));
  t.after(release);
  return release;
}

export function backupsOf(setup: Setup) {
  async function fleet(t: TestContext, change: object = backedUp) {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'fleet', change);
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    return {
      project,
      cluster,
      driver,
      ports: driver.db('harbour').collection<{ _id: number; name: string }>('ports'),
    };
  }

  async function taken(cluster: string, kind = '', body: object = { retentionInDays: 3 }) {
    const path = `${cluster}/backup/snapshots`;
    const { id } = expectStatus<SnapshotDocument>(await setup.owner.post(path, body), 200);
    const reply = await until(
      'the end of the snapshot',
      () => setup.owner.get(`${path}${kind}/${id}`),
      (answer) => ['completed', 'failed'].includes(String(answer.json().status)),
    );
    const snapshot = expectStatus<SnapshotDocument & Record<string, unknown>>(reply, 200);
    assert.equal(snapshot.status, 'completed');
    return snapshot;
  }

  async function restored(cluster: string, body: object) {
    const path = `${cluster}/backup/restoreJobs`;
    const wanted = { deliveryType: 'automated', ...body };
    const begun = expectStatus<RestoreDocument & Record<string, unknown>>(
      await setup.owner.post(path, wanted),
      200,
    );
    const reply = await until(
      'the end of the restore',
      () => setup.owner.get(`${path}/${begun.id}`),
      (answer) => answer.json().finishedAt !== undefined,
    );
    return { begun, ended: expectStatus<RestoreDocument>(reply, 200) };
  }

  /** Returns the relations of the links of a document. Each link must lead to a document. */
  async function relationsOf(path: string) {
    const { links } = expectStatus<{ readonly links: readonly Link[] }>(await setup.owner.get(path), 200);
    for (const { href } of links) expectStatus(await setup.owner.get(new URL(href).pathname), 200);
    return links.map(({ rel }) => rel.split('/').at(-1));
  }

  return { fleet, taken, restored, relationsOf };
}
