import type { Topic } from '../../../store/index.ts';

/** Published when an organization's link with its source organization is deleted. */
export const linkDeleted: Topic<{ readonly orgId: string }> = { name: 'live migration link deleted' };
