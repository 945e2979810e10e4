import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedEngine } from '@portolan/engine/management';
import { copyTree, syncTree } from '@portolan/foundation/copy-tree';
import type { SavedState, Services, StateDifference, States } from '../resources/services.ts';
import { stateFaults } from '../resources/states/index.ts';
import { faultOfDatabase, StoreError } from '../store/index.ts';
import { type CopyingEngine, copyWithClusters } from './cluster-copies.ts';
import { compareStates, UnreadableClusters } from './compare.ts';
import { readCompleteState } from './complete-state.ts';
import { emptyNext, exchange, publishState, removeFormer, removeNext, undoExchange } from './exchange.ts';
import { reportFullDisk } from './full-disk.ts';
import { CLUSTERS, DATABASE, FIRST, HOST_ID, SNAPSHOTS, stateFolder } from './layout.ts';
import { isStateName, type Manifest, readManifest, stateNames, writeManifest } from './manifest.ts';

/** Closes all services, applies a change, and opens the services again. */
export type Reopen = (
  change: { apply(): Promise<void>; undo(): Promise<void> },
  /** Number of requests that wait for this change. The change must not wait for these requests. */
  callers: number,
) => Promise<void>;

/** Name of the temporary copy of the running service that a comparison uses. */
const NOW = '.now';

export interface StateParts {
  readonly dataDirectory: string;
  readonly services: Pick<Services, 'store' | 'machine' | 'secrets' | 'random' | 'engines'> & {
    readonly version: string;
  };
  readonly engine: CopyingEngine & Pick<EmbeddedEngine, 'digestClusters'>;
  /** Whether snapshots are stored in the data directory. States do not contain snapshots that are stored elsewhere. */
  readonly ownSnapshots: boolean;
  readonly reopen: Reopen;
  /**
   * Runs work exclusively, even if another `States` object replaces this one during the work. Returns undefined if
   * other work is running.
   */
  alone<T>(work: () => Promise<T>): Promise<T> | undefined;
}

/** Saves and restores the whole service. Requires that no other process shares its database. */
export function statesOf(parts: StateParts): States {
  const { dataDirectory, services } = parts;

  async function alone<T>(
    work: (copyTo: NonNullable<typeof services.store.copyTo>) => Promise<T>,
  ): Promise<T> {
    const { copyTo } = services.store;
    if (copyTo === undefined) throw stateFaults.STATES_NEED_OWN_DATABASE();
    const done = parts.alone(() => reportFullDisk(dataDirectory, () => work(copyTo)));
    if (done === undefined) throw stateFaults.STATE_CHANGE_UNDER_WAY();
    return done;
  }

  return {
    list: () => listStates(dataDirectory),
    async save(name) {
      checkName(name);
      return alone((copyTo) => saveAs(parts, copyTo, name));
    },
    async restore(name, callers) {
      checkName(name);
      await alone(() => restore(parts, name, callers));
    },
    reset: (callers) => alone(() => restore(parts, FIRST, callers)),
    async remove(name) {
      checkName(name);
      await alone(() => remove(parts, name));
    },
    async compare(name, other) {
      for (const one of [name, other ?? name]) {
        checkName(one);
        if ((await usable(dataDirectory, one)) === undefined) throw stateFaults.STATE_NOT_FOUND(one);
      }
      if (other !== undefined) return compared(parts, name, other);
      return alone(async (copyTo) => {
        const now = stateFolder(dataDirectory, NOW);
        try {
          await saveAs(parts, copyTo, NOW);
          return await compared(parts, name, NOW);
        } finally {
          await rm(now, { recursive: true, force: true });
        }
      });
    },
    async keepFirst() {
      const { copyTo } = services.store;
      if (copyTo !== undefined) await saveAs(parts, copyTo, FIRST);
    },
  };
}

async function listStates(dataDirectory: string): ReturnType<States['list']> {
  const names = await stateNames(dataDirectory);
  const found = names.map((name) =>
    readManifest(dataDirectory, name).then(
      (manifest) => (manifest === undefined ? [] : [savedState(name, manifest)]),
      (error: Error) => [{ name, problem: error.message }],
    ),
  );
  return (await Promise.all(found)).flat();
}

async function restore(parts: StateParts, name: string, callers: number): Promise<void> {
  const { dataDirectory, services } = parts;
  const manifest = await usable(dataDirectory, name);
  if (manifest === undefined) {
    throw name === FIRST ? stateFaults.NO_FIRST_STATE() : stateFaults.STATE_NOT_FOUND(name);
  }
  if (manifest.fingerprint !== services.secrets.fingerprint)
    throw stateFaults.STATE_CANNOT_BE_RESTORED(name, 'its secrets are encrypted with another secret key');
  const change = { apply: () => exchange(dataDirectory), undo: () => undoExchange(dataDirectory) };
  try {
    await stage(parts, name);
    await reportFullDisk(dataDirectory, () => parts.reopen(change, callers)).catch((error: Error) => {
      const isFull = error instanceof StoreError && error.kind === 'full';
      throw isFull ? error : stateFaults.STATE_CANNOT_BE_RESTORED(name, error.message);
    });
  } catch (error) {
    await removeNext(dataDirectory);
    throw error;
  }
  await removeFormer(dataDirectory);
}

async function remove({ dataDirectory, services }: StateParts, name: string): Promise<void> {
  // Accept damaged states too, so that they can be deleted.
  if (!(await stateNames(dataDirectory)).includes(name)) throw stateFaults.STATE_NOT_FOUND(name);
  const removed = stateFolder(dataDirectory, `.removed-${services.random.uuid()}`);
  // Rename the state first. If the removal is interrupted, no incomplete state remains under the name.
  await rename(stateFolder(dataDirectory, name), removed);
  await rm(removed, { recursive: true });
}

function checkName(name: string): void {
  if (!isStateName(name)) throw stateFaults.STATE_NAME_INVALID(name);
}

/** Returns the manifest of a state that this service can restore; undefined if there is no such state. */
async function usable(dataDirectory: string, name: string): Promise<Manifest | undefined> {
  try {
    return await readCompleteState(dataDirectory, name);
  } catch (error) {
    throw stateFaults.STATE_CANNOT_BE_RESTORED(name, (error as Error).message);
  }
}

/** Compares two states. If one of them is damaged, the error says which. */
async function compared(
  { dataDirectory, engine }: Pick<StateParts, 'dataDirectory' | 'engine'>,
  ...names: [string, string]
): Promise<StateDifference[]> {
  const [before, after] = names.map((name) => stateFolder(dataDirectory, name)) as [string, string];
  try {
    return await compareStates(engine, before, after);
  } catch (error) {
    if (error instanceof UnreadableClusters && error.folder !== stateFolder(dataDirectory, NOW)) {
      const culprit = error.folder === before ? names[0] : names[1];
      throw stateFaults.STATE_CANNOT_BE_RESTORED(culprit, `its clusters cannot be read: ${error.message}`);
    }
    if (!(error instanceof StoreError) || error.kind !== 'damaged') throw error;
    const faultOf = (name: string) =>
      faultOfDatabase(join(stateFolder(dataDirectory, name), DATABASE), { whole: true });
    const culprit = names.find((name) => name !== NOW && faultOf(name) !== undefined);
    if (culprit === undefined) throw error;
    throw stateFaults.STATE_CANNOT_BE_RESTORED(culprit, `its ${DATABASE} ${faultOf(culprit)}`);
  }
}

function savedState(name: string, { saved, version, clusters, bytes }: Manifest): SavedState {
  return { name, saved: new Date(saved), version, clusters, bytes };
}

/**
 * Saves a consistent state. Writes to the database wait until the copies of the clusters have begun and the snapshots
 * are hard-linked. Files are then copied while writes continue.
 */
async function saveAs(
  parts: StateParts,
  copyTo: (file: string, meanwhile: () => Promise<void>) => Promise<void>,
  name: string,
): Promise<SavedState> {
  const { dataDirectory, services, engine, ownSnapshots } = parts;
  const made = stateFolder(dataDirectory, `.saving-${services.random.uuid()}`);
  await mkdir(join(made, 'engine'), { recursive: true, mode: 0o700 });
  try {
    await copyWithClusters({ engine, machine: services.machine }, join(made, CLUSTERS), (begin) =>
      copyTo(join(made, DATABASE), async () => {
        await begin();
        if (ownSnapshots)
          await copyTree(join(dataDirectory, SNAPSHOTS), join(made, SNAPSHOTS), { link: true });
      }),
    );
    await writeFile(join(made, HOST_ID), services.engines.local, { mode: 0o600 });
    const known = {
      saved: new Date(services.machine.now()).toISOString(),
      version: services.version,
      fingerprint: services.secrets.fingerprint,
      clusters: (await readdir(join(made, CLUSTERS))).length,
      bytes: await bytesIn(made),
    };
    await writeManifest(made, known);
    await syncTree(made);
    await publishState(dataDirectory, made, name);
    return savedState(name, { format: 1, ...known });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Copies a state into the folder of new parts, while the service is still running. */
async function stage(
  { dataDirectory, ownSnapshots }: Pick<StateParts, 'dataDirectory' | 'ownSnapshots'>,
  name: string,
): Promise<void> {
  const next = await emptyNext(dataDirectory);
  const state = stateFolder(dataDirectory, name);
  const isLinked = (part: string) => part === SNAPSHOTS;
  await copyTree(state, next, { skip: isLinked });
  if (existsSync(join(state, SNAPSHOTS)))
    await copyTree(join(state, SNAPSHOTS), join(next, SNAPSHOTS), { link: true });
  // The state contains no snapshots, since they were stored elsewhere when it was saved. Create an empty folder.
  else if (ownSnapshots) await mkdir(join(next, SNAPSHOTS), { mode: 0o700 });
  await syncTree(next);
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
