import { on } from '../../../events/index.ts';
import { removeProjectFromInvitations } from './changes.ts';

/** Removes a deleted or moved project from all invitations to its previous organization. */
export const removeLostProjects = on(
  ['GROUP_DELETED', 'GROUP_MOVED'],
  async (tx, { orgId, groupId, actor }) => {
    if (groupId !== undefined) await removeProjectFromInvitations(tx, actor, { orgId, groupId });
  },
);
