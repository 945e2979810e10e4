import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { copyTree, syncTree } from '../runtime/copy-tree.ts';
import { CLUSTERS, FIRST, stateFolder } from './layout.ts';
import { readManifest } from './manifest.ts';

/** What is wrong with what was asked for; its message is for people. */
export class StateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StateError';
  }
}

const SECRET_KEY = 'secret.key';
const MASTER_KEYS = 'keys';

/**
 * Makes a data directory out of a state: another service, with the same keys, that may run beside the one it came from.
 * Its clusters get ports of their own. Answers whether the key that its secrets are sealed with came along: one that
 * lies elsewhere is to be named at each start.
 */
export async function forkState(dataDirectory: string, name: string, to: string): Promise<boolean> {
  await requireState(dataDirectory, name);
  const target = resolve(to);
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new StateError(`${target} is not empty`);
  const made = join(dirname(target), `.${basename(target)}.new`);
  await rm(made, { recursive: true, force: true });
  try {
    await copyTree(stateFolder(dataDirectory, name), made, { skip: (file) => file === 'state.json' });
    await copyTree(stateFolder(dataDirectory, FIRST), stateFolder(made, FIRST));
    for (const id of await readdir(join(made, CLUSTERS))) await forgetPorts(join(made, CLUSTERS, id));
    const secretKey = join(dataDirectory, SECRET_KEY);
    const hasKey = existsSync(secretKey);
    if (hasKey) await copyFile(secretKey, join(made, SECRET_KEY));
    if (existsSync(join(dataDirectory, MASTER_KEYS)))
      await copyTree(join(dataDirectory, MASTER_KEYS), join(made, MASTER_KEYS));
    await syncTree(made);
    await mkdir(dirname(target), { recursive: true });
    await rm(target, { recursive: true, force: true });
    await rename(made, target);
    return hasKey;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Throws a `StateError` where it is not there. */
export async function requireState(dataDirectory: string, name: string): Promise<void> {
  const manifest = await readManifest(dataDirectory, name).catch((error: Error) => {
    throw new StateError(`The state ${name} cannot be used: ${error.message}`);
  });
  if (manifest === undefined) throw new StateError(`There is no saved state ${name} in ${dataDirectory}`);
}

/** Those of the cluster that it was copied from may be in use. */
async function forgetPorts(folder: string): Promise<void> {
  const file = join(folder, 'deployment.json');
  const record = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, `${JSON.stringify({ ...record, ports: {} }, undefined, 2)}\n`, { mode: 0o600 });
}
