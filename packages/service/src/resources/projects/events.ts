import { recordEvent } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { findProject } from './rows.ts';

/** Records an event in a project; does nothing if the project no longer exists. */
export async function recordInProject(
  tx: Tx,
  groupId: string,
  event: Omit<Parameters<typeof recordEvent>[1], 'orgId' | 'groupId'>,
): Promise<void> {
  const project = await findProject(tx, groupId);
  if (project) await recordEvent(tx, { ...event, orgId: project.orgId, groupId });
}
