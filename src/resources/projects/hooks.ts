import type { Topic } from '../../store/index.ts';

/** A project is about to go, with the rows of all that it holds: what is kept elsewhere goes with it. */
export const projectRemoving: Topic<{ readonly groupId: string }> = { name: 'project removing' };
