import type { Topic } from '../../../store/index.ts';

/** Published when the mail of an invitation must be sent, in the transaction that stores or confirms the invitation. */
export const personInvited: Topic<{ readonly invitationId: string }> = { name: 'person invited' };
