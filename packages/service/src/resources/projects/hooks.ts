import type { Topic } from '../../store/index.ts';

/** Published before a project and its rows are deleted. Subscribers delete data that is not in rows. */
export const projectRemoving: Topic<{ readonly groupId: string }> = { name: 'project removing' };

/** Published when a project is created. */
export const projectCreated: Topic<{
  readonly groupId: string;
  /** Whether to add the default alert configurations to the project. */
  readonly withDefaultAlerts: boolean;
}> = { name: 'project made' };
