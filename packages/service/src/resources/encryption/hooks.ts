import type { Topic } from '../../store/index.ts';
import type { KeyProvider } from './providers.ts';

/** The keys of a project are about to be others; a fault that is thrown here refuses it. */
export const keysChanging: Topic<{
  readonly groupId: string;
  /** Master keys of the providers that were enabled, and of those that are to be. */
  readonly before: ReadonlyMap<KeyProvider, string>;
  readonly after: ReadonlyMap<KeyProvider, string>;
}> = { name: 'encryption keys changing' };
