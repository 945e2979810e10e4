import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest, TransactionEnd } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { reading, writing } from '../shared/presets.ts';

/** This file declares the commands that end transactions. The session code of the query thread implements them. */

const commitTransaction = command({
  name: 'commitTransaction',
  ...writing,
  database: 'admin',
  transaction: 'commit',
  stableApi: true,
  audit: 'none',
  privileges: () => [],
  fields: { commitTransaction: 'any', commitTimestamp: 'timestamp' },
  run: (_args, request) => requireTransaction(request, 'commitTransaction').commit(),
});

const abortTransaction = command({
  name: 'abortTransaction',
  ...reading,
  database: 'admin',
  transaction: 'abort',
  writeConcern: true,
  stableApi: true,
  privileges: () => [],
  fields: { abortTransaction: 'any' },
  run: (_args, request) => requireTransaction(request, 'abortTransaction').abort(),
});

function requireTransaction({ transactionEnd }: CommandRequest, name: string): TransactionEnd {
  if (transactionEnd !== undefined) return transactionEnd;
  throw new ServerError('CommandFailed', `${name} must be run within a transaction`);
}

/**
 * Always fails. Only shards with separate stores need prepared transactions, and all shards of a cluster
 * share one store.
 */
const prepareTransaction = command({
  name: 'prepareTransaction',
  ...writing,
  database: 'admin',
  transaction: 'prepare',
  audit: 'none',
  privileges: () => [{ action: 'internal' }],
  fields: { prepareTransaction: 'any' },
  run() {
    throw new ServerError('CommandNotSupported', "'prepareTransaction' is not supported on this replica set");
  },
});

const coordinateCommitTransaction = command({
  name: 'coordinateCommitTransaction',
  ...writing,
  database: 'admin',
  transaction: 'prepare',
  audit: 'none',
  privileges: () => [{ action: 'internal' }],
  fields: { coordinateCommitTransaction: 'any', participants: 'documents!' },
  run() {
    throw new ServerError(
      'CommandNotSupported',
      "'coordinateCommitTransaction' is not supported on this replica set",
    );
  },
});

export const transactionCommands: readonly Command[] = [
  commitTransaction,
  abortTransaction,
  prepareTransaction,
  coordinateCommitTransaction,
];
