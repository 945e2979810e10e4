import type { Topic } from '../../store/index.ts';
import type { KeyProvider } from './providers.ts';

/** Published before the keys of a project change. A subscriber rejects the change by throwing a fault. */
export const keysChanging: Topic<{
  readonly groupId: string;
  /** The master keys of the enabled providers, before and after the change. */
  readonly before: ReadonlyMap<KeyProvider, string>;
  readonly after: ReadonlyMap<KeyProvider, string>;
}> = { name: 'encryption keys changing' };
