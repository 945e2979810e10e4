import { ServerError } from '../../errors/server-error.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { inspecting } from '../shared/presets.ts';
import { collectionIn } from '../views/view.ts';

/** Does nothing: the engine reuses and releases free pages continuously. */
const compact = command({
  name: 'compact',
  ...inspecting,
  writeConcern: true,
  privileges: onCollection('compact'),
  fields: { compact: 'collection!', force: 'truth', dryRun: 'truth', freeSpaceTargetMB: 'int' },
  run({ compact: name, dryRun, freeSpaceTargetMB: target = 1 }, { database }, { store }) {
    checkNamespace(database, name);
    if (target < 1) {
      throw new ServerError(
        'BadValue',
        `BSON field 'freeSpaceTargetMB' value must be >= 1, actual value '${target}'`,
      );
    }
    const timeseries = name.startsWith(BUCKETS) ? name.slice(BUCKETS.length) : name;
    if (collectionIn(store, database, timeseries) === undefined) {
      throw new ServerError('NamespaceNotFound', 'collection does not exist');
    }
    return dryRun ? { estimatedBytesFreed: 0 } : { bytesFreed: 0 };
  },
});

export const compactCommands: readonly Command[] = [compact];
