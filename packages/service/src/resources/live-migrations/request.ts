import type { SecretBox } from '@portolan/foundation/secret-box';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { Call } from '../../api/operation.ts';
import type { ShardingOrder } from '../../replication/structure.ts';
import type { Services } from '../services.ts';
import type { SourceOrder } from './protocol.ts';
import type { MigrationRequest } from './schema.ts';

/** The settings of a migration request without secrets. */
export interface MigrationSpec {
  readonly hostnameSchemaType: string;
  readonly privateLinkId?: string;
  readonly sourceGroupId: string;
  readonly sourceName: string;
  readonly ssl: boolean;
  readonly caCertificatePath?: string;
  /** The user who reads the source. Absent if the migration host uses its own credentials. */
  readonly username?: string;
  readonly host?: string;
  readonly drop: boolean;
  readonly sharding?: ShardingOrder;
}

/** A validated migration request. */
export interface AcceptedRequest {
  readonly id: string;
  readonly orgId: string;
  readonly spec: MigrationSpec;
  /** The encrypted password of the source; undefined if the migration host uses its own credentials. */
  readonly sealed: Uint8Array | undefined;
}

type MigrationCall = Pick<
  Call<Services, { groupId: string }, unknown, MigrationRequest>,
  'params' | 'body' | 'scope' | 'services'
>;

/** Reads and validates a request. Throws for inconsistent fields. */
export function acceptRequest({ params, body, scope, services }: MigrationCall): AcceptedRequest {
  const { spec, password } = readSpec(params.groupId, body);
  const id = services.ids.next();
  const sealed = password === undefined ? undefined : services.secrets.seal(password, contextOf(id));
  return { id, orgId: scope?.kind === 'group' ? scope.orgId : '', spec, sealed };
}

interface SpecWithPassword {
  readonly spec: MigrationSpec;
  readonly password: string | undefined;
}

function readSpec(groupId: string, body: MigrationRequest): SpecWithPassword {
  const { destination, source, migrationHosts, dropDestinationData: drop = false } = body;
  const { hostnameSchemaType, privateLinkId } = destination;
  if (destination.groupId !== groupId) throw generalFaults.GROUP_MISMATCH(destination.groupId);
  if (hostnameSchemaType === 'PRIVATE_LINK' && privateLinkId === undefined)
    throw generalFaults.MISSING_ATTRIBUTE('destination.privateLinkId');
  checkCredentials(source);
  if (source.caCertificatePath !== undefined && !source.ssl)
    throw badValue('source.caCertificatePath', 'requires source.ssl');
  const sharding = readSharding(body.sharding);
  return {
    password: source.password,
    spec: {
      hostnameSchemaType,
      ...(privateLinkId === undefined ? {} : { privateLinkId }),
      sourceGroupId: source.groupId,
      sourceName: source.clusterName,
      ssl: source.ssl,
      ...(source.caCertificatePath === undefined ? {} : { caCertificatePath: source.caCertificatePath }),
      ...(source.username === undefined ? {} : { username: source.username }),
      ...(migrationHosts?.[0] === undefined ? {} : { host: migrationHosts[0] }),
      drop,
      ...(sharding === undefined ? {} : { sharding }),
    },
  };
}

function checkCredentials(source: MigrationRequest['source']): void {
  for (const name of ['username', 'password'] as const) {
    const given = source[name] !== undefined;
    if (given && source.managedAuthentication)
      throw badValue(`source.${name}`, 'is not allowed with source.managedAuthentication');
    if (!given && !source.managedAuthentication) throw generalFaults.MISSING_ATTRIBUTE(`source.${name}`);
  }
}

function readSharding(sharding: MigrationRequest['sharding']): ShardingOrder | undefined {
  if (sharding === undefined) return undefined;
  const { createSupportingIndexes, shardingEntries = [] } = sharding;
  return {
    createSupportingIndexes,
    shardingEntries: shardingEntries.map(({ database, collection, shardCollection }, index) => {
      const field = `sharding.shardingEntries.${index}.shardCollection.key`;
      if (shardCollection.key === undefined) throw generalFaults.MISSING_ATTRIBUTE(field);
      const key = Object.assign({}, ...shardCollection.key) as Record<string, unknown>;
      const named = shardCollection.key.flatMap((fields) => Object.keys(fields));
      if (named.length > Object.keys(key).length) throw badValue(field, 'names a field twice');
      const isKnown = (kind: unknown) => kind === 1 || kind === 'hashed';
      const kinds = Object.values(key);
      if (!kinds.every(isKnown)) throw badValue(field, 'has values other than 1 and "hashed"');
      if (kinds.filter((kind) => kind === 'hashed').length > 1)
        throw badValue(field, 'has more than one "hashed"');
      return { database, collection, key };
    }),
  };
}

const contextOf = (id: string) => `source of migration ${id}`;

/** Returns the source in the form of orders to a migration host. */
export function sourceOrder(
  secrets: SecretBox,
  id: string,
  spec: MigrationSpec,
  sealed: Uint8Array | undefined,
): SourceOrder {
  const { username, caCertificatePath } = spec;
  return {
    projectId: spec.sourceGroupId,
    deployment: spec.sourceName,
    ssl: spec.ssl,
    ...(caCertificatePath === undefined ? {} : { caCertificatePath }),
    ...(username === undefined || sealed === undefined
      ? {}
      : { credentials: { username, password: secrets.open(sealed, contextOf(id)).toString() } }),
  };
}
