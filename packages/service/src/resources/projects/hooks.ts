import type { Topic } from '../../store/index.ts';

/** A project is about to go, with the rows of all that it holds: what is kept elsewhere goes with it. */
export const projectRemoving: Topic<{ readonly groupId: string }> = { name: 'project removing' };

/** A project has just been made. */
export const projectMade: Topic<{
  readonly groupId: string;
  /** Whether it is to begin with the alert configurations that most want. */
  readonly withDefaultAlerts: boolean;
}> = { name: 'project made' };
