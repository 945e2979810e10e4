import type { Command } from '../command.ts';
import { createIndexes } from './indexes/create.ts';
import { dropIndexes } from './indexes/drop.ts';
import { listIndexes } from './indexes/list.ts';
import { reIndex } from './indexes/rebuild.ts';

export { idIndex } from './indexes/listed.ts';

export const indexCommands: readonly Command[] = [listIndexes, createIndexes, dropIndexes, reIndex];
