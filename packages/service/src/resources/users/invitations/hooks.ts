import type { Topic } from '../../../store/index.ts';

/** Published when a person is to get the mail of an invitation, in the transaction that stores or confirms it. */
export const personInvited: Topic<{ readonly invitationId: string }> = { name: 'person invited' };
