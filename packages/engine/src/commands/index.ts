import { accountCommands } from './accounts/index.ts';
import { administrationCommands } from './administration/index.ts';
import { aggregateCommands } from './aggregation/aggregate.ts';
import { mapReduceCommands } from './aggregation/map-reduce/command.ts';
import { catalogCommands } from './catalog/catalog.ts';
import { collectionCommands } from './catalog/collections.ts';
import { createCommands } from './catalog/create/create.ts';
import { databaseCommands } from './catalog/databases.ts';
import { listCollectionsCommands } from './catalog/list-collections.ts';
import type { Command } from './context/command.ts';
import { bulkWriteCommands } from './crud/bulk-write.ts';
import { countCommands } from './crud/count.ts';
import { cursorCommands } from './crud/cursors.ts';
import { deleteCommands } from './crud/delete.ts';
import { distinctCommands } from './crud/distinct.ts';
import { findCommands } from './crud/find.ts';
import { findAndModifyCommands } from './crud/find-and-modify.ts';
import { insertCommands } from './crud/insert.ts';
import { updateCommands } from './crud/update.ts';
import { counted } from './diagnostics/counted.ts';
import { currentOpCommands } from './diagnostics/current-op.ts';
import { diagnosticCommands } from './diagnostics/diagnostics.ts';
import { explainCommand } from './diagnostics/explain.ts';
import { hostCommands } from './diagnostics/host.ts';
import { inspectionCommands } from './diagnostics/inspection.ts';
import { killOpCommands } from './diagnostics/kill-op.ts';
import { listCommands } from './diagnostics/list-commands.ts';
import { planCacheCommands } from './diagnostics/plan-cache.ts';
import { querySettingsCommands } from './diagnostics/query-settings.ts';
import { serverStatusCommands } from './diagnostics/server-status.ts';
import { statisticsCommands } from './diagnostics/statistics.ts';
import { validationCommands } from './diagnostics/validate.ts';
import { indexCommands } from './indexes/index.ts';
import { replicationCommands } from './replication/index.ts';
import { replicaSetCommands } from './replication/replica-set.ts';
import { searchCommands } from './search/commands.ts';
import { sessionCommands } from './sessions/sessions.ts';
import { shardingCommands } from './sharding/index.ts';
import { transactionCommands } from './transactions/transactions.ts';

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
  ...searchCommands,
  ...planCacheCommands,
  ...querySettingsCommands,
  ...statisticsCommands,
  ...serverStatusCommands,
  ...hostCommands,
  ...inspectionCommands,
  ...validationCommands,
  ...catalogCommands,
  ...accountCommands,
  ...administrationCommands,
  ...shardingCommands,
  listCommands(() => all),
  explainCommand((name) => commandTable.get(name)),
];

/** Every command that query threads run, by name and alias. */
export const commandTable: ReadonlyMap<string, Command> = new Map(
  all
    .map(counted)
    .flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command])),
);
