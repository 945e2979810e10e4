import type { Command } from '../context/command.ts';
import { createIndexes } from './create.ts';
import { dropIndexes } from './drop.ts';
import { listIndexes } from './list.ts';
import { reIndex } from './rebuild.ts';

export const indexCommands: readonly Command[] = [listIndexes, createIndexes, dropIndexes, reIndex];
