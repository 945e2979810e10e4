import { on } from '../../../events/index.ts';
import { removeProjectFromInvitations } from './changes.ts';

/** A project that is deleted, or moved to another organization, leaves every invitation. */
export const forgetProjects = on(['GROUP_DELETED', 'GROUP_MOVED'], async (tx, { orgId, groupId, actor }) => {
  if (groupId !== undefined) await removeProjectFromInvitations(tx, actor, { orgId, groupId });
});
