import type { Command } from '../context/command.ts';
import { applyOpsCommand } from './apply-ops.ts';
import { resizeOplog } from './resize-oplog.ts';
import { stateChanges } from './step-down.ts';

/** Commands that act on the oplog, do what its entries say, or change who is primary; `lookup` finds the commands that these run. */
export function replicationCommands(lookup: (name: string) => Command | undefined): readonly Command[] {
  return [applyOpsCommand(lookup), resizeOplog, ...stateChanges];
}
