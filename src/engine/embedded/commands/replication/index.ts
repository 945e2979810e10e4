import type { Command } from '../../command.ts';
import { applyOps } from './apply-ops.ts';
import { resizeOplog } from './resize-oplog.ts';

/** Commands that act on the oplog, or do what its entries say. */
export const replicationCommands: readonly Command[] = [applyOps, resizeOplog];
