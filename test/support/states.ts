import type { TestContext } from 'node:test';
import { backedUp } from './backups.ts';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './drivers.ts';
import { expectStatus } from './expect.ts';
import type { Setup } from './setups.ts';
import { newCluster, newProject } from './stage.ts';

/** Helpers for saved states of the whole service. */

export const states = '/operator/v1/states';

interface Port {
  readonly _id: number;
  readonly name: string;
}

export interface SavedState {
  readonly name: string;
  readonly clusters: number;
}

/** Creates a cluster with documents, one of which a search finds, and a driver that stays connected throughout. */
export async function harbour(t: TestContext, setup: Setup, name = 'harbour', encrypted = false) {
  const project = await newProject(setup);
  const keys = {
    ...{ accessKeyID: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', enabled: true },
    ...{ customerMasterKeyID: 'arn:aws:kms:us-east-1:123456789012:key/harbour', region: 'US_EAST_1' },
  };
  if (encrypted) expectStatus(await setup.owner.patch(`${project}/encryptionAtRest`, { awsKms: keys }), 200);
  const body = { ...backedUp, ...(encrypted ? { encryptionAtRestProvider: 'AWS' } : {}) };
  const cluster = await newCluster(setup, project, name, body);
  await allowAccess(setup, project, cluster);
  const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
  t.after(() => driver.close());
  const ports = driver.db('sea').collection<Port>('ports');
  await ports.insertMany(['Riga', 'Visby', 'Turku'].map((each, _id) => ({ _id, name: each })));
  const search = async () => {
    const found = await ports
      .aggregate([{ $search: { index: 'names', text: { query: 'visby', path: 'name' } } }])
      .toArray();
    return found.map(({ _id }) => _id);
  };
  return { project, cluster, driver, ports, search };
}

export const save = async (setup: Setup, name: string) =>
  expectStatus<SavedState>(await setup.operator.post(states, { name }), 201);
export const restore = async (setup: Setup, name: string) =>
  expectStatus(await setup.operator.post(`${states}/${name}/restore`, undefined), 204);
