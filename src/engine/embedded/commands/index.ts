import type { Command } from '../command.ts';
import { accountCommands } from './accounts/index.ts';
import { administrationCommands } from './administration/index.ts';
import { aggregateCommands } from './aggregate.ts';
import { bulkWriteCommands } from './bulk-write.ts';
import { catalogCommands } from './catalog.ts';
import { collectionCommands } from './collections.ts';
import { countCommands } from './count.ts';
import { createCommands } from './create/create.ts';
import { currentOpCommands } from './current-op.ts';
import { cursorCommands } from './cursors.ts';
import { databaseCommands } from './databases.ts';
import { deleteCommands } from './delete.ts';
import { diagnosticCommands } from './diagnostics.ts';
import { distinctCommands } from './distinct.ts';
import { explainCommand } from './explain.ts';
import { findCommands } from './find.ts';
import { findAndModifyCommands } from './find-and-modify.ts';
import { hostCommands } from './host.ts';
import { indexCommands } from './indexes.ts';
import { insertCommands } from './insert.ts';
import { inspectionCommands } from './inspection.ts';
import { killOpCommands } from './kill-op.ts';
import { listCollectionsCommands } from './list-collections.ts';
import { listCommands } from './list-commands.ts';
import { mapReduceCommands } from './map-reduce/command.ts';
import { planCacheCommands } from './plan-cache/commands.ts';
import { querySettingsCommands } from './query-settings/commands.ts';
import { replicaSetCommands } from './replica-set.ts';
import { replicationCommands } from './replication/index.ts';
import { serverStatusCommands } from './server-status.ts';
import { sessionCommands } from './sessions.ts';
import { shardingCommands } from './sharding/index.ts';
import { statisticsCommands } from './statistics.ts';
import { transactionCommands } from './transactions.ts';
import { updateCommands } from './update.ts';
import { counted } from './usage.ts';

const all: readonly Command[] = [
  ...diagnosticCommands,
  ...replicaSetCommands,
  ...replicationCommands((name) => commandTable.get(name)),
  ...databaseCommands,
  ...collectionCommands,
  ...createCommands,
  ...listCollectionsCommands,
  ...insertCommands,
  ...updateCommands,
  ...deleteCommands,
  ...findCommands,
  ...countCommands,
  ...aggregateCommands,
  ...cursorCommands,
  ...currentOpCommands,
  ...killOpCommands,
  ...sessionCommands,
  ...transactionCommands,
  ...findAndModifyCommands,
  ...bulkWriteCommands,
  ...distinctCommands,
  ...mapReduceCommands,
  ...indexCommands,
  ...planCacheCommands,
  ...querySettingsCommands,
  ...statisticsCommands,
  ...serverStatusCommands,
  ...hostCommands,
  ...inspectionCommands,
  ...catalogCommands,
  ...accountCommands,
  ...administrationCommands,
  ...shardingCommands,
  listCommands(() => all),
  explainCommand((name) => commandTable.get(name)),
];

/** Every command that query workers run, by each of its names. */
export const commandTable: ReadonlyMap<string, Command> = new Map(
  all
    .map(counted)
    .flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command])),
);
