import { on } from '../../../events/index.ts';
import { removeProjectFromInvitations } from './changes.ts';

/** A project that is gone, or that another organization has, is in no invitation any more. */
export const forgetProjects = on(['GROUP_DELETED', 'GROUP_MOVED'], async (tx, { orgId, groupId, actor }) => {
  if (groupId !== undefined) await removeProjectFromInvitations(tx, actor, { orgId, groupId });
});
