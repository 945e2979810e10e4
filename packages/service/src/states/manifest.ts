import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { STATE_NAME } from '../resources/states/index.ts';
import { stateFolder, statesIn } from './layout.ts';

const FILE = 'state.json';
const FORMAT = 1;

/** Metadata of a state. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** Machine time at which the state was saved, in ISO 8601. */
  readonly saved: string;
  readonly version: string;
  /**
   * Fingerprint of the secret key with which the secrets in the state are encrypted. The state does not contain the key
   * itself.
   */
  readonly fingerprint: string;
  readonly clusters: number;
  readonly bytes: number;
}

export async function writeManifest(folder: string, known: Omit<Manifest, 'format'>): Promise<void> {
  const manifest: Manifest = { format: FORMAT, ...known };
  await writeAtomically(join(folder, FILE), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/**
 * Reads the manifest of a state; undefined if there is no such state. If the state is damaged, or if a later version of
 * the service saved it, throws an error with a message for the user.
 */
export async function readManifest(dataDirectory: string, name: string): Promise<Manifest | undefined> {
  const folder = stateFolder(dataDirectory, name);
  try {
    return checked(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR' || !existsSync(folder)) return undefined;
    if (code === 'ENOENT') throw new Error(`it has no ${FILE}`);
    if (code !== undefined) throw new Error(`its ${FILE} cannot be read: ${code}`);
    throw error instanceof SyntaxError ? damaged() : error;
  }
}

const damaged = () => new Error(`its ${FILE} is damaged`);

function checked(found: Partial<Manifest> | null): Manifest {
  const { format, saved, version, fingerprint, clusters, bytes } = found ?? {};
  if (typeof format === 'number' && format !== FORMAT)
    throw new Error(`it has the format ${format}, not ${FORMAT}`);
  const isWhole =
    format === FORMAT &&
    isDate(saved) &&
    [version, fingerprint].every((text) => typeof text === 'string') &&
    [clusters, bytes].every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  if (!isWhole) throw damaged();
  return found as Manifest;
}

function isDate(text: unknown): text is string {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

/** Returns the names of the saved states, including damaged ones, sorted. */
export async function stateNames(dataDirectory: string): Promise<string[]> {
  const entries = await readdir(statesIn(dataDirectory), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && isStateName(entry.name));
  return names.map(({ name }) => name).toSorted();
}

/** Whether a name is that of a state. Names of internal folders begin with a dot. */
export function isStateName(name: string): boolean {
  return new RegExp(STATE_NAME).test(name);
}
