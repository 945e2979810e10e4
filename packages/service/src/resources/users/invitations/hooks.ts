import type { Topic } from '../../../store/index.ts';

/** Published when a person is invited, in the transaction that stores the invitation. */
export const personInvited: Topic<{ readonly invitationId: string }> = { name: 'person invited' };
