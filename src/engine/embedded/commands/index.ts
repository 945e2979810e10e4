import type { Command } from '../command.ts';
import { aggregateCommands } from './aggregate.ts';
import { bulkWriteCommands } from './bulk-write.ts';
import { catalogCommands } from './catalog.ts';
import { collectionCommands } from './collections.ts';
import { countCommands } from './count.ts';
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
import { listCommands } from './list-commands.ts';
import { replicaSetCommands } from './replica-set.ts';
import { serverStatusCommands } from './server-status.ts';
import { sessionCommands } from './sessions.ts';
import { statisticsCommands } from './statistics.ts';
import { updateCommands } from './update.ts';
import { counted } from './usage.ts';
import { userCommands } from './users.ts';

const all: readonly Command[] = [
  ...diagnosticCommands,
  ...replicaSetCommands,
  ...databaseCommands,
  ...collectionCommands,
  ...insertCommands,
  ...updateCommands,
  ...deleteCommands,
  ...findCommands,
  ...countCommands,
  ...aggregateCommands,
  ...cursorCommands,
  ...sessionCommands,
  ...findAndModifyCommands,
  ...bulkWriteCommands,
  ...distinctCommands,
  ...indexCommands,
  ...statisticsCommands,
  ...serverStatusCommands,
  ...hostCommands,
  ...inspectionCommands,
  ...catalogCommands,
  ...userCommands,
  listCommands(() => all),
  explainCommand((name) => commandTable.get(name)),
];

/** Every command that query workers run, by each of its names. */
export const commandTable: ReadonlyMap<string, Command> = new Map(
  all
    .map(counted)
    .flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command])),
);
