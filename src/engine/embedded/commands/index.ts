import type { Command } from '../command.ts';
import { aggregateCommands } from './aggregate.ts';
import { collectionCommands } from './collections.ts';
import { countCommands } from './count.ts';
import { cursorCommands } from './cursors.ts';
import { databaseCommands } from './databases.ts';
import { deleteCommands } from './delete.ts';
import { diagnosticCommands } from './diagnostics.ts';
import { findCommands } from './find.ts';
import { insertCommands } from './insert.ts';
import { updateCommands } from './update.ts';

const commands: readonly Command[] = [
  ...diagnosticCommands,
  ...databaseCommands,
  ...collectionCommands,
  ...insertCommands,
  ...updateCommands,
  ...deleteCommands,
  ...findCommands,
  ...countCommands,
  ...aggregateCommands,
  ...cursorCommands,
];

/** Every command that query workers run, by each of its names. */
export const commandTable: ReadonlyMap<string, Command> = new Map(
  commands.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command])),
);
