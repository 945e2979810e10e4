import { recordEvent } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { findProject } from './rows.ts';

/** Records what happened to something that a project holds; nothing when the project itself is gone. */
export async function recordInProject(
  tx: Tx,
  groupId: string,
  event: Omit<Parameters<typeof recordEvent>[1], 'orgId' | 'groupId'>,
): Promise<void> {
  const project = await findProject(tx, groupId);
  if (project) await recordEvent(tx, { ...event, orgId: project.orgId, groupId });
}
