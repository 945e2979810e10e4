import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../runtime/atomic-file.ts';
import { stateFolder, statesIn } from './layout.ts';

const FILE = 'state.json';
const FORMAT = 1;

/** What is told of a state beside its files. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** Machine time, as ISO 8601 has it. */
  readonly saved: string;
  readonly version: string;
  /** Of the key that seals its secrets, which is not in it. */
  readonly fingerprint: string;
  readonly clusters: number;
  readonly bytes: number;
}

export async function writeManifest(folder: string, known: Omit<Manifest, 'format'>): Promise<void> {
  const manifest: Manifest = { format: FORMAT, ...known };
  await writeAtomically(join(folder, FILE), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Nothing where there is no such state; throws a sentence for one that a later version has made. */
export async function readManifest(dataDirectory: string, name: string): Promise<Manifest | undefined> {
  const file = join(stateFolder(dataDirectory, name), FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const manifest = JSON.parse(text) as { readonly format: unknown } & Manifest;
  if (manifest.format !== FORMAT) throw new Error(`it has the format ${manifest.format}, not ${FORMAT}`);
  return manifest;
}

/** The names of the states that people have saved, in their order. */
export async function stateNames(dataDirectory: string): Promise<string[]> {
  const entries = await readdir(statesIn(dataDirectory), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return names.map(({ name }) => name).toSorted();
}
