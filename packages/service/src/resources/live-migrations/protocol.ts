import Type, { type Static } from 'typebox';
import { Choice, Id } from '../../api/fields.ts';
import type { ShardingOrder } from '../../replication/structure.ts';

/**
 * This file defines the protocol between a migration host (`portolan link`) and the service. The host reports
 * at short intervals, and each response contains all orders for the host. The host starts new orders, and
 * stops orders that the response no longer contains.
 */

export const REPORT_PATH = '/api/migration-hosts/report';

/** The formats of host names that the contract allows: an IPv4 address, a full IPv6 address, or a dotted name. */
const HOST_PATTERN =
  '^(([0-9]{1,3}\\.){3}[0-9]{1,3}|([0-9a-f]{1,4}:){7}([0-9a-f]{1,4})|([a-z0-9]+\\.){1,10}[a-z]+)$';

/** Bounds of the integers in reports. Responses repeat these integers in fields with the same types. */
const Int64 = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const INT32_MAX = 2 ** 31 - 1;

/** Hosts must shorten problems to this length: a longer text would invalidate the whole report. */
export const MAX_PROBLEM_LENGTH = 2000;
const Problem = Type.Optional(Type.String({ maxLength: MAX_PROBLEM_LENGTH }));

export const MAX_NAME_LENGTH = 64;

const Deployment = Type.Object({
  agentVersion: Type.String({ maxLength: 64 }),
  clusterId: Type.Optional(Id()),
  dbSizeBytes: Int64,
  featureCompatibilityVersion: Type.String({ maxLength: 16 }),
  managed: Type.Boolean(),
  dbVersion: Type.String({ maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }),
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
  /** Sources that the host cannot report at the moment, and why. Hosts of older versions omit this field. */
  unreported: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }),
        problem: Type.String({ maxLength: MAX_PROBLEM_LENGTH }),
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
  /** The members of all shards, as the deployment reports them. */
  members: Type.Array(Type.String()),
  bytes: Type.Number(),
  /** The time span that the full oplog covers, in hours. Absent if the oplog has not dropped any entry yet. */
  oplogHours: Type.Optional(Type.Number()),
  /** `database.collection` of every collection to copy. */
  namespaces: Type.Array(Type.String()),
});
/** The survey of a source by a migration host. */
export type Survey = Static<typeof Survey>;

const Surveyed = Type.Object({
  id: Id(),
  survey: Type.Optional(Survey),
  problem: Problem,
});
export type Surveyed = Static<typeof Surveyed>;

const Progress = Type.Object({
  id: Id(),
  /** The number of the attempt that the progress is about. */
  attempt: Type.Integer(),
  phase: Choice(['copying', 'following', 'done', 'failed', 'lost']),
  lagTimeSeconds: Type.Optional(Int64),
  /** Number of documents in the initial copy. Absent before the copy starts, and from hosts of older versions. */
  copied: Type.Optional(Type.Object({ documents: Int64, total: Int64 })),
  ready: Type.Boolean(),
  problem: Problem,
});
/**
 * The progress of a migration. `lost`: the oplog of the source has dropped changes before they were copied, so the
 * migration must restart.
 */
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
  /** The user who reads the source. Absent if the migration host uses its own credentials. */
  readonly credentials?: { readonly username: string; readonly password: string };
}

export interface SurveyOrder {
  readonly id: string;
  readonly source: SourceOrder;
}

export interface TargetOrder {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
  /**
   * The authority of the servers, in PEM. Absent if the migration host already has it, for example because it is the
   * authority of the service.
   */
  readonly caCertificate?: string;
}

export interface MigrationOrder {
  readonly id: string;
  readonly attempt: number;
  readonly source: SourceOrder;
  readonly target: TargetOrder;
  readonly sharding?: ShardingOrder;
  /** Whether the migration host should apply all remaining changes and then end the migration. */
  readonly cutover: boolean;
}

export interface Orders {
  /** The name under which the service lists the host. */
  readonly host: string;
  readonly surveys: readonly SurveyOrder[];
  readonly migrations: readonly MigrationOrder[];
}
