import type { Command } from '../context/command.ts';
import { applyOpsCommand } from './apply-ops.ts';
import { memberStates } from './member-state.ts';
import { appendOplogNote } from './oplog-note.ts';
import { resizeOplog } from './resize-oplog.ts';
import { stateChanges } from './step-down.ts';

/** Returns the commands on the oplog and elections. `lookup` returns the commands that `applyOps` runs. */
export function replicationCommands(lookup: (name: string) => Command | undefined): readonly Command[] {
  return [applyOpsCommand(lookup), appendOplogNote, resizeOplog, ...stateChanges, ...memberStates];
}
