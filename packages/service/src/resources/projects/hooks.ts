import type { Topic } from '../../store/index.ts';

/** Published before a project and its rows are deleted. Subscribers delete what they store elsewhere. */
export const projectRemoving: Topic<{ readonly groupId: string }> = { name: 'project removing' };

/** Published when a project is created. */
export const projectCreated: Topic<{
  readonly groupId: string;
  /** Whether to create the default alert configurations. */
  readonly withDefaultAlerts: boolean;
}> = { name: 'project made' };
