import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { copyTree, syncTree } from '@portolan/foundation/copy-tree';
import { systemRandom } from '@portolan/foundation/random';
import { readCompleteState } from './complete-state.ts';
import { CLUSTERS, FIRST, stateFolder } from './layout.ts';

/** An error with a message for the user. */
export class StateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StateError';
  }
}

const SECRET_KEY = 'secret.key';
const MASTER_KEYS = 'keys';

/**
 * Creates a data directory from a saved state, for a second service that can run beside the original. The second
 * service has the same API keys, but other ports for its clusters. Returns whether the new directory contains the
 * secret key. If it does not contain the key, the operator must pass the key at each start of the second service.
 */
export async function forkState(dataDirectory: string, name: string, to: string): Promise<boolean> {
  await requireState(dataDirectory, name);
  const target = resolve(to);
  const made = join(dirname(target), `.forking-${systemRandom().uuid()}`);
  try {
    await requireRoom(target);
    await mkdir(dirname(target), { recursive: true });
    const hasKey = await fill(made, dataDirectory, name);
    await syncTree(made);
    // Removing the folder fails if it is not empty.
    if (existsSync(target)) await rmdir(target);
    await rename(made, target);
    return hasKey;
  } catch (error) {
    if (error instanceof StateError) throw error;
    throw new StateError(`${target} cannot be created from the state ${name}: ${(error as Error).message}`);
  } finally {
    // Ignore errors, so that the original error is reported.
    await rm(made, { recursive: true, force: true }).catch(() => {});
  }
}

async function requireRoom(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new StateError(`${target} exists and is not a folder`);
  if ((await readdir(target)).length > 0) throw new StateError(`${target} is not empty`);
}

async function fill(made: string, dataDirectory: string, name: string): Promise<boolean> {
  await copyTree(stateFolder(dataDirectory, name), made, { skip: (file) => file === 'state.json' });
  await copyTree(stateFolder(dataDirectory, FIRST), stateFolder(made, FIRST));
  for (const id of await readdir(join(made, CLUSTERS))) await removePorts(join(made, CLUSTERS, id));
  const secretKey = join(dataDirectory, SECRET_KEY);
  const hasKey = existsSync(secretKey);
  if (hasKey) await copyFile(secretKey, join(made, SECRET_KEY));
  if (existsSync(join(dataDirectory, MASTER_KEYS)))
    await copyTree(join(dataDirectory, MASTER_KEYS), join(made, MASTER_KEYS));
  return hasKey;
}

/** Throws a `StateError` if the state is missing or incomplete. */
export async function requireState(dataDirectory: string, name: string): Promise<void> {
  const manifest = await readCompleteState(dataDirectory, name).catch((error: Error) => {
    throw new StateError(`The state ${name} cannot be used: ${error.message}`);
  });
  if (manifest === undefined) throw new StateError(`There is no saved state ${name} in ${dataDirectory}`);
}

/** Removes the ports of a cluster, which the original service may be using. */
async function removePorts(folder: string): Promise<void> {
  const file = join(folder, 'deployment.json');
  const record = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, `${JSON.stringify({ ...record, ports: {} }, undefined, 2)}\n`, { mode: 0o600 });
}
