import type { Topic } from '../../store/index.ts';
import type { KeyProvider } from './providers.ts';

/** Published before the keys of a project change; a fault thrown by a subscriber refuses the change. */
export const keysChanging: Topic<{
  readonly groupId: string;
  /** Master keys of the providers enabled before and after the change. */
  readonly before: ReadonlyMap<KeyProvider, string>;
  readonly after: ReadonlyMap<KeyProvider, string>;
}> = { name: 'encryption keys changing' };
