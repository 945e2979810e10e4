import type { Actor } from '../../events/index.ts';
import type { Topic } from '../../store/index.ts';

/** Published when a caller creates an organization. */
export const organizationCreated: Topic<{
  readonly orgId: string;
  /** The federation settings to which the new organization is to be connected. */
  readonly federationSettingsId: string | undefined;
  readonly actor: Actor;
  /** Whether the caller is an owner of another organization. */
  readonly owns: (orgId: string) => boolean;
}> = { name: 'organization created' };

/** Published before an organization and its rows are deleted. */
export const organizationRemoving: Topic<{ readonly orgId: string }> = { name: 'organization removing' };
