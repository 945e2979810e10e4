import type { Topic } from '../../store/index.ts';

/** A project and its rows are about to be deleted. Subscribers delete what is stored elsewhere. */
export const projectRemoving: Topic<{ readonly groupId: string }> = { name: 'project removing' };

/** A project was created. */
export const projectCreated: Topic<{
  readonly groupId: string;
  /** Whether to create the default alert configurations. */
  readonly withDefaultAlerts: boolean;
}> = { name: 'project made' };
