import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import type { AccessSpec, DeploymentSpec, Election, WireFault } from '../interface/engine.ts';
import { isWholeRecord } from './record-shape.ts';

/** What the host keeps of a deployment: `deployment.json` in its directory. */
export interface DeploymentRecord {
  readonly format: 2;
  readonly spec: Omit<DeploymentSpec, 'access'>;
  readonly access: AccessSpec;
  /** Port of each member by its id, kept as long as the member is there. */
  readonly ports: Readonly<Record<string, number>>;
  readonly paused: boolean;
  /** Its file was made, so that one that is missing was lost; absent in records of earlier versions. */
  readonly made?: boolean;
  /** Grows with every change of members. */
  readonly configVersion: number;
  /** Grows whenever another member becomes primary. */
  readonly term: number;
  /** Ids, in the order of shards. */
  readonly primaries: readonly string[];
  /** The last ones, the oldest first: those of as many hours as somebody may ask for. */
  readonly elections?: readonly Election[];
  /** Ids of members that are not to run. */
  readonly stopped?: readonly string[];
  /** Ids of members that are not to be elected for the time being; the file does not tell. */
  readonly withheld?: readonly string[];
  /** Threads of its own that search for it; absent: none. */
  readonly searchNodes?: number;
  /** What the operator has declared that commands meet. */
  readonly faults?: readonly WireFault[];
  /** Base64; see `ClusterView`. */
  readonly decoySecret: string;
}

const FORMAT = 2;

/** Until format 2 there was one replica set in every deployment. */
type FormerRecord = Omit<DeploymentRecord, 'format' | 'primaries'> & {
  readonly format: 1;
  readonly primary?: string;
};

/**
 * Throws with a sentence that names the file when it is absent, damaged, newer than this program or that of another
 * deployment, whose ports and data it would take.
 */
export async function readRecord(directory: string): Promise<DeploymentRecord> {
  const path = join(directory, 'deployment.json');
  const text = await readFile(path, 'utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error(`${path} is damaged`);
  }
  const record = inNewestFormat(Object(parsed), path);
  if (!isWholeRecord(record)) throw new Error(`${path} is damaged`);
  const { id } = record.spec;
  if (id !== basename(directory)) throw new Error(`${path} is that of another deployment, ${id}`);
  return record;
}

function inNewestFormat(record: DeploymentRecord | FormerRecord, path: string): DeploymentRecord {
  const { format }: { readonly format?: unknown } = record;
  if (format === undefined) throw new Error(`${path} is damaged`);
  if (record.format === FORMAT) return record;
  if (record.format !== 1) throw new Error(`${path} has the format ${format}, not ${FORMAT}`);
  const { primary, ...rest } = record;
  return { ...rest, format: FORMAT, primaries: primary === undefined ? [] : [primary] };
}

export async function writeRecord(directory: string, whole: DeploymentRecord): Promise<void> {
  const { withheld: _, ...record } = whole;
  await writeAtomically(join(directory, 'deployment.json'), `${JSON.stringify(record, undefined, 2)}\n`);
}

export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
