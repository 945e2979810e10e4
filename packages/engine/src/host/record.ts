import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import type { AccessSpec, DeploymentSpec, Election, WireFault } from '../interface/engine.ts';
import { isWholeRecord } from './record-shape.ts';

/** The durable record of a deployment, in the file `deployment.json` of its directory. */
export interface DeploymentRecord {
  readonly format: 2;
  readonly spec: Omit<DeploymentSpec, 'access'>;
  readonly access: AccessSpec;
  /** The ports by member id. A member keeps its port until it is removed. */
  readonly ports: Readonly<Record<string, number>>;
  readonly paused: boolean;
  /**
   * True if the data file has been created. If this is true but the file is missing, the file was lost. Absent in
   * records of earlier versions.
   */
  readonly made?: boolean;
  /** A number that is incremented by every change of the members. */
  readonly configVersion: number;
  /** A number that is incremented whenever another member becomes primary. */
  readonly term: number;
  /** The ids of the primaries, in the order of the shards. */
  readonly primaries: readonly string[];
  /** The latest elections, oldest first. There are at most `MAX_ELECTIONS`. */
  readonly elections?: readonly Election[];
  /** The ids of stopped members. */
  readonly stopped?: readonly string[];
  /** The ids of members that are excluded from elections. Not stored in the file. */
  readonly withheld?: readonly string[];
  /** The number of search nodes. Absent if there are none. */
  readonly searchNodes?: number;
  /** The faults that the operator has declared. */
  readonly faults?: readonly WireFault[];
  /** The secret from which the verifiers of unknown users are derived (`ClusterView`), in Base64. */
  readonly decoySecret: string;
}

const FORMAT = 2;

/** The record of format 1, in which a deployment has exactly one replica set. */
type FormerRecord = Omit<DeploymentRecord, 'format' | 'primaries'> & {
  readonly format: 1;
  readonly primary?: string;
};

/**
 * Reads the record. Throws an error that names the file if the record is missing, damaged or newer than this program.
 * Also throws if the record belongs to another deployment, because the ports and data of that deployment would then be
 * used.
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
