import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { endsTransaction } from '../context/facts.ts';
import type { CommandRequest } from '../context/request.ts';
import { checkClusterTime } from './cluster-time.ts';
import { checkApi, type GivenGeneric, readGenericFields } from './generic-fields.ts';
import { checkReadConcern, type ReadConcern } from './read-concern.ts';
import { type SessionArguments, sessionArguments } from './transaction.ts';
import { defaultWriteConcern, readWriteConcern, type WriteConcern } from './write-concern.ts';

export interface GenericArguments extends SessionArguments {
  readonly readConcern: ReadConcern;
  readonly writeConcern: WriteConcern;
  readonly readsFromSecondary: boolean;
  /** The id of the session in hexadecimal digits. */
  readonly sessionId?: string;
  /** The time limit in milliseconds; 0 means no limit. */
  readonly maxTimeMs?: number;
}

/** Reads the arguments that all commands have. Throws if they are invalid. */
export function readGeneric(
  command: Command,
  { body, caller }: Pick<CommandRequest, 'body' | 'caller'>,
  cluster: GenericContext,
): GenericArguments {
  const given = readGenericFields(body, command.name);
  const { store, clock } = cluster;
  checkClusterTime(given.$clusterTime, caller, { last: store.oplog.last, now: clock.now() });
  checkApi(command, given, body);
  const inSession = sessionArguments(command, given, body);
  const inTransaction = inSession.transaction !== undefined;
  const { lsid, maxTimeMS } = given;
  return {
    readConcern: checkReadConcern(command, given.readConcern, inTransaction),
    writeConcern: writeConcernOf(command, given, cluster),
    readsFromSecondary: given.$readPreference ?? false,
    ...(lsid === undefined ? {} : { sessionId: lsid }),
    ...inSession,
    ...(maxTimeMS === undefined ? {} : { maxTimeMs: maxTimeMS }),
  };
}

type GenericContext = Pick<ClusterContext, 'topology' | 'parameters' | 'store' | 'clock'>;

function writeConcernOf(
  command: Command,
  { writeConcern: concern, autocommit }: GivenGeneric,
  { topology: { members }, parameters }: GenericContext,
): WriteConcern {
  const { defaultWriteConcern: given } = parameters;
  // In a transaction, only the commit can have a write concern.
  if (
    given === undefined ||
    concern !== undefined ||
    command.data !== 'write' ||
    (autocommit !== undefined && !endsTransaction(command))
  ) {
    return readWriteConcern(command, concern, members);
  }
  return defaultWriteConcern(given, members);
}
