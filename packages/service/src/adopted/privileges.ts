import type { ServerFact } from '@portolan/engine/interface/capabilities';
import type { FoundServers } from '@portolan/engine/interface/engine';
import type { Document, MongoClient } from 'mongodb';
import { isRouter } from '../replication/deployments.ts';
import { askIfKnown } from './connection.ts';
import { checkedReply, Rights } from './replies.ts';

export function topologyOf(hello: Document): FoundServers['topology'] {
  if (isRouter(hello)) return 'SHARDED';
  return hello.setName === undefined ? 'STANDALONE' : 'REPLICA_SET';
}

export interface Privilege {
  readonly resource: {
    readonly cluster?: boolean;
    readonly anyResource?: boolean;
    readonly db?: string;
    readonly collection?: string;
  };
  readonly actions: readonly string[];
}

/**
 * Returns the privileges of the user who is logged in. Returns none if the server does not report the user or the
 * privileges. If the client does not log in, and the server has no access control, the client has all privileges.
 */
export async function privilegesOf(client: MongoClient): Promise<readonly Privilege[]> {
  const status = await askIfKnown(client, { connectionStatus: 1, showPrivileges: true });
  if (status === undefined) return [];
  const { authInfo } = checkedReply('connectionStatus', Rights, status);
  const { authenticatedUsers = [], authenticatedUserPrivileges = [] } = authInfo;
  const isOpen = authenticatedUsers.length === 0 && client.options.credentials === undefined;
  return isOpen ? EVERYTHING : authenticatedUserPrivileges;
}

const EVERYTHING: readonly Privilege[] = [{ resource: { anyResource: true }, actions: ['anyAction'] }];

/**
 * Returns the facts that follow from the privileges of the user. `ofMembers` contains the privileges on the members of
 * shards, if the deployment is a sharded cluster.
 */
export function privilegeFacts(
  hello: Document,
  privileges: readonly Privilege[],
  ofMembers: MemberPrivileges,
): ServerFact[] {
  return [
    ...(mayStepDown(hello, privileges, ofMembers) ? (['stepDown'] as const) : []),
    ...(mayReplaceData(hello, privileges) ? (['replaceData'] as const) : []),
  ];
}

const includes = ({ actions }: Privilege, wanted: string) =>
  actions.some((action) => action === wanted || action === 'anyAction');

/** Whether the user has the privilege to make primaries step down. */
function mayStepDown(
  hello: Document,
  privileges: readonly Privilege[],
  ofMembers: MemberPrivileges,
): boolean {
  const topology = topologyOf(hello);
  if (topology === 'SHARDED') return mayOnMembers(ofMembers, 'replSetStateChange');
  return topology === 'REPLICA_SET' && mayOnCluster(privileges, 'replSetStateChange');
}

/**
 * The privileges of the user on each member of the shards that responds. Empty if the user cannot log in to one of them:
 * each shard has its own users, and users of routers may be missing there.
 */
export type MemberPrivileges = readonly (readonly Privilege[])[];

/** Whether the user may perform an action on the members of all shards. */
export const mayOnMembers = (all: MemberPrivileges, action: string) =>
  all.length > 0 && all.every((privileges) => mayOnCluster(privileges, action));

/** Whether the user may perform an action that concerns the whole deployment. */
export const mayOnCluster = (privileges: readonly Privilege[], action: string) =>
  privileges.some(
    (one) => (one.resource.cluster === true || one.resource.anyResource === true) && includes(one, action),
  );

/** The actions that a restore performs in every database. */
const REPLACING = [
  'bypassDocumentValidation',
  'collMod',
  'createCollection',
  'createIndex',
  'dropDatabase',
  'find',
  'insert',
  'remove',
  'update',
];

/** Whether a restore can replace databases. A restore uses transactions, which standalone servers do not support. */
function mayReplaceData(hello: Document, privileges: readonly Privilege[]): boolean {
  if (topologyOf(hello) === 'STANDALONE' || hello.logicalSessionTimeoutMinutes == null) return false;
  // A restore to a sharded cluster also shards the collections that it creates.
  return mayEverywhere(privileges, isRouter(hello) ? [...REPLACING, 'enableSharding'] : REPLACING);
}

/** The actions of the role `userAdminAnyDatabase` that the service needs to manage users. */
const MANAGING_USERS = [
  'changeCustomData',
  'changePassword',
  'createRole',
  'createUser',
  'dropRole',
  'dropUser',
  'grantRole',
  'revokeRole',
  'viewRole',
  'viewUser',
];

export const mayManageUsers = (privileges: readonly Privilege[]) => mayEverywhere(privileges, MANAGING_USERS);

/** Whether the user may perform all these actions in every database. */
export function mayEverywhere(privileges: readonly Privilege[], actions: readonly string[]): boolean {
  const general = privileges.filter(
    ({ resource: { anyResource, db, collection } }) =>
      anyResource === true || (db === '' && collection === ''),
  );
  return actions.every((action) => general.some((one) => includes(one, action)));
}
