import Type, { type Static } from 'typebox';
import { Choice, Id } from '../../api/fields.ts';

/**
 * What a migration host (`portolan link`) and the service say to each other: the host reports again and again, and is
 * answered what it is to do. It does whatever it is told that it does not do yet, and ends what it is told no more.
 */

/** A member of a replica set, by which the deployment is known whatever address leads to it. */
export const memberOf = (set: string, host: string) => `${set}/${host}`.toLowerCase();

/** Whether two deployments have a member in common: they are one, or one is a shard of the other. */
export function sharesMember(one: readonly string[], other: readonly string[]): boolean {
  return one.some((member) => other.includes(member));
}

export const REPORT_PATH = '/api/migration-hosts/report';

/** The forms that the contract allows for hosts in answers: an IPv4 address, a full IPv6 one, a dotted name. */
const HOST_PATTERN =
  '^(([0-9]{1,3}\\.){3}[0-9]{1,3}|([0-9a-f]{1,4}:){7}([0-9a-f]{1,4})|([a-z0-9]+\\.){1,10}[a-z]+)$';

/** Answers repeat what is reported, in fields of these sizes. */
const Int64 = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const INT32_MAX = 2 ** 31 - 1;

/** A longer one would be refused with all the rest of a report. */
export const LONGEST_PROBLEM = 2000;
const Problem = Type.Optional(Type.String({ maxLength: LONGEST_PROBLEM }));

export const LONGEST_NAME = 64;

const Deployment = Type.Object({
  agentVersion: Type.String({ maxLength: 64 }),
  clusterId: Type.Optional(Id()),
  dbSizeBytes: Int64,
  featureCompatibilityVersion: Type.String({ maxLength: 16 }),
  managed: Type.Boolean(),
  dbVersion: Type.String({ maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
  oplogSizeMB: Type.Optional(Type.Integer({ minimum: 0, maximum: INT32_MAX })),
  sharded: Type.Boolean(),
  shardsSize: Type.Integer({ minimum: 1, maximum: INT32_MAX }),
  tlsEnabled: Type.Boolean(),
});
export type ReportedDeployment = Static<typeof Deployment>;

const Project = Type.Object({
  projectId: Id(),
  name: Type.String({ minLength: 1, maxLength: 64 }),
  deployments: Type.Array(Deployment, { maxItems: 1000 }),
  /** Sources that cannot be reported at present, and why; hosts of former versions do not tell them. */
  unreported: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
        problem: Type.String({ maxLength: LONGEST_PROBLEM }),
      }),
      { maxItems: 1000 },
    ),
  ),
});
export type ReportedProject = Static<typeof Project>;

const Survey = Type.Object({
  version: Type.String(),
  featureCompatibilityVersion: Type.String(),
  sharded: Type.Boolean(),
  /** Of all shards, as the deployment itself tells them. */
  members: Type.Array(Type.String()),
  bytes: Type.Number(),
  /** Hours between the first and the last entry of an oplog that drops its oldest ones; absent while none are dropped. */
  oplogHours: Type.Optional(Type.Number()),
  /** `database.collection` of everything that would be copied. */
  namespaces: Type.Array(Type.String()),
});
/** What a migration host has found at a source. */
export type Survey = Static<typeof Survey>;

const Surveyed = Type.Object({
  id: Id(),
  survey: Type.Optional(Survey),
  problem: Problem,
});
export type Surveyed = Static<typeof Surveyed>;

const Progress = Type.Object({
  id: Id(),
  /** Of which attempt it speaks. */
  attempt: Type.Integer(),
  phase: Choice(['copying', 'following', 'done', 'failed', 'lost']),
  lagTimeSeconds: Type.Optional(Int64),
  ready: Type.Boolean(),
  problem: Problem,
});
/** `lost`: the source has forgotten changes that were not copied yet, so that all is to begin anew. */
export type Progress = Static<typeof Progress>;

export const Report = Type.Object({
  organization: Type.String({ minLength: 1, maxLength: 64 }),
  host: Type.Optional(Type.String({ maxLength: 255, pattern: HOST_PATTERN })),
  projects: Type.Array(Project, { maxItems: 1000 }),
  surveys: Type.Array(Surveyed),
  migrations: Type.Array(Progress),
});
export type Report = Static<typeof Report>;

export interface SourceOrder {
  readonly projectId: string;
  readonly deployment: string;
  readonly ssl: boolean;
  readonly caCertificatePath?: string;
  /** Absent: the migration host's own. */
  readonly credentials?: { readonly username: string; readonly password: string };
}

export interface SurveyOrder {
  readonly id: string;
  readonly source: SourceOrder;
}

export interface ShardingOrder {
  readonly createSupportingIndexes: boolean;
  readonly shardingEntries: readonly {
    readonly database: string;
    readonly collection: string;
    readonly key: Readonly<Record<string, unknown>>;
  }[];
}

export interface MigrationOrder {
  readonly id: string;
  readonly attempt: number;
  readonly source: SourceOrder;
  readonly target: { readonly uri: string; readonly username: string; readonly password: string };
  readonly sharding?: ShardingOrder;
  /** Apply what is there, and end. */
  readonly cutover: boolean;
}

export interface Orders {
  /** How the host is listed. */
  readonly host: string;
  readonly surveys: readonly SurveyOrder[];
  readonly migrations: readonly MigrationOrder[];
}

/** The database of the destination that holds how far a migration is. It goes when the migration ends. */
export const CHECKPOINTS = 'portolan_migration';
