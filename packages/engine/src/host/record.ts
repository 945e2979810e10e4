import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import type { AccessSpec, DeploymentSpec, Election, WireFault } from '../interface/engine.ts';
import { isWholeRecord } from './record-shape.ts';

/** The durable record of a deployment: `deployment.json` in its directory. */
export interface DeploymentRecord {
  readonly format: 2;
  readonly spec: Omit<DeploymentSpec, 'access'>;
  readonly access: AccessSpec;
  /** Ports by member id; a member keeps its port until it is removed. */
  readonly ports: Readonly<Record<string, number>>;
  readonly paused: boolean;
  /**
   * Whether the deployment's file was created; if it is missing nevertheless, it was lost. Absent in records of earlier
   * versions.
   */
  readonly made?: boolean;
  /** Increases with every change of members. */
  readonly configVersion: number;
  /** Increases with every election of another primary. */
  readonly term: number;
  /** Member ids, in the order of shards. */
  readonly primaries: readonly string[];
  /** The latest elections, oldest first; see `MAX_ELECTIONS`. */
  readonly elections?: readonly Election[];
  /** Ids of stopped members. */
  readonly stopped?: readonly string[];
  /** Ids of members excluded from elections; not written to the file. */
  readonly withheld?: readonly string[];
  /** Number of its search node threads; absent: none. */
  readonly searchNodes?: number;
  /** Faults that the operator has declared. */
  readonly faults?: readonly WireFault[];
  /** Base64; see `ClusterView`. */
  readonly decoySecret: string;
}

const FORMAT = 2;

/** Before format 2 every deployment had one replica set. */
type FormerRecord = Omit<DeploymentRecord, 'format' | 'primaries'> & {
  readonly format: 1;
  readonly primary?: string;
};

/**
 * Throws an error that names the file if it is absent, damaged, newer than this program, or of another deployment,
 * whose ports and data it would use.
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
  if (id !== basename(directory)) throw new Error(`${path} belongs to another deployment, ${id}`);
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
