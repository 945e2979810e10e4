import { badValue, generalFaults } from '../../api/faults.ts';
import type { SecretBox } from '../../runtime/secret-box.ts';
import type { ShardingOrder, SourceOrder } from './protocol.ts';
import type { MigrationRequest } from './schema.ts';

/** What a request asks for, without what is secret. */
export interface Wish {
  readonly hostnameSchemaType: string;
  readonly privateLinkId?: string;
  readonly sourceGroupId: string;
  readonly sourceName: string;
  readonly ssl: boolean;
  readonly caCertificatePath?: string;
  /** Absent: the migration host's own. */
  readonly username?: string;
  readonly host?: string;
  readonly drop: boolean;
  readonly sharding?: ShardingOrder;
}

interface Wanted {
  readonly wish: Wish;
  readonly password: string | undefined;
}

/** Reads a body; throws for fields that do not go together. */
export function readWish(groupId: string, body: MigrationRequest): Wanted {
  const { destination, source, migrationHosts, dropDestinationData: drop = false } = body;
  const { hostnameSchemaType, privateLinkId } = destination;
  if (destination.groupId !== groupId) throw generalFaults.GROUP_MISMATCH(destination.groupId);
  if (hostnameSchemaType === 'PRIVATE_LINK' && privateLinkId === undefined)
    throw generalFaults.MISSING_ATTRIBUTE('destination.privateLinkId');
  checkCredentials(source);
  if (source.caCertificatePath !== undefined && !source.ssl)
    throw badValue('source.caCertificatePath', 'is for sources with ssl');
  const sharding = readSharding(body.sharding);
  return {
    password: source.password,
    wish: {
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
      throw badValue(`source.${name}`, 'is not for sources with managedAuthentication');
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
      const isKnown = (kind: unknown) => kind === 1 || kind === 'hashed';
      if (!Object.values(key).every(isKnown)) throw badValue(field, 'holds other values than 1 and "hashed"');
      return { database, collection, key };
    }),
  };
}

const contextOf = (id: string) => `source of migration ${id}`;

/** A password, so that it can be given to the migration host; nothing where it logs in as itself. */
export function sealPassword(
  secrets: SecretBox,
  id: string,
  password: string | undefined,
): Uint8Array | undefined {
  return password === undefined ? undefined : secrets.seal(password, contextOf(id));
}

/** The source as a migration host is told of it. */
export function sourceOrder(
  secrets: SecretBox,
  id: string,
  wish: Wish,
  sealed: Uint8Array | undefined,
): SourceOrder {
  const { username, caCertificatePath } = wish;
  return {
    projectId: wish.sourceGroupId,
    deployment: wish.sourceName,
    ssl: wish.ssl,
    ...(caCertificatePath === undefined ? {} : { caCertificatePath }),
    ...(username === undefined || sealed === undefined
      ? {}
      : { credentials: { username, password: secrets.open(sealed, contextOf(id)).toString() } }),
  };
}
