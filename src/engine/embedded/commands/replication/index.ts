import type { Command } from '../context/command.ts';
import { applyOpsCommand } from './apply-ops.ts';
import { resizeOplog } from './resize-oplog.ts';

/** Commands that act on the oplog, or do what its entries say; `lookup` finds the commands that these run. */
export function replicationCommands(lookup: (name: string) => Command | undefined): readonly Command[] {
  return [applyOpsCommand(lookup), resizeOplog];
}
