import type { Command } from '../context/command.ts';
import { compactCommands } from './compact.ts';
import { convertCommands } from './convert.ts';
import { modifyCommands } from './modify/coll-mod.ts';
import { renameCommands } from './rename.ts';
import { metadataCommands } from './validate-metadata.ts';

/** Commands on whole collections. */
export const catalogCommands: readonly Command[] = [
  ...renameCommands,
  ...modifyCommands,
  ...convertCommands,
  ...compactCommands,
  ...metadataCommands,
];
