import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { words } from '../shared/field-builders.ts';
import { inspecting, reading, writing } from '../shared/presets.ts';

/**
 * This file contains the commands that block writes. `fsync` blocks all writes until `fsyncUnlock`.
 * `setUserWriteBlockMode` blocks writes of users.
 */

const fsync = command({
  name: 'fsync',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'fsync' }],
  fields: { fsync: 'any', lock: 'truth', fsyncLockAcquisitionTimeoutMillis: 'int32' },
  run({ lock = false }, _request, { parameters }) {
    // The disk already contains all acknowledged writes, so there is nothing to flush.
    if (!lock) return { numFiles: 1 };
    parameters.writeLocks++;
    return {
      info: 'now locked against writes, use db.fsyncUnlock() to unlock',
      lockCount: BigInt(parameters.writeLocks),
      seeAlso: 'http://dochub.mongodb.org/core/fsynccommand',
    };
  },
});

/** This command counts as a write, because writes that wait for the lock are tried again after each write. */
const fsyncUnlock = command({
  name: 'fsyncUnlock',
  ...writing,
  database: 'admin',
  members: 'any',
  audit: 'none',
  privileges: () => [{ action: 'unlock' }],
  fields: { fsyncUnlock: 'any' },
  run(_args, _request, { parameters }) {
    if (parameters.writeLocks === 0)
      throw new ServerError('IllegalOperation', 'fsyncUnlock called when not locked');
    parameters.writeLocks--;
    return {
      info: parameters.writeLocks === 0 ? 'fsyncUnlock completed' : 'fsyncUnlock decremented the lock count',
      lockCount: BigInt(parameters.writeLocks),
    };
  },
});

const reasons = ['Unspecified', 'ClusterToClusterMigrationInProgress', 'DiskUseThresholdExceeded'] as const;

const setUserWriteBlockMode = command({
  name: 'setUserWriteBlockMode',
  ...reading,
  database: 'admin',
  privileges: () => [{ action: 'setUserWriteBlockMode' }],
  fields: { setUserWriteBlockMode: 'any', global: 'bool!', reason: words(reasons) },
  run({ global, reason = 'Unspecified' }, _request, { parameters }) {
    const active = parameters.writeBlock;
    if (active !== undefined && active !== reason) {
      const verb = global ? 'acquire' : 'release';
      throw new ServerError(
        'IllegalOperation',
        `Cannot ${verb} user writes critical section with different reason than the already-set reason`,
      );
    }
    parameters.writeBlock = global ? reason : undefined;
    return {};
  },
});

export const lockCommands: readonly Command[] = [fsync, fsyncUnlock, setUserWriteBlockMode];
