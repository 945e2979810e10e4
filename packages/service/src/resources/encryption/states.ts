import type { ReadTx } from '../../store/index.ts';
import { enabledKeys, type KeyProvider } from './providers.ts';
import { allEncryption } from './rows.ts';

/** How the master key is that a project uses with a provider. */
export interface KeyState {
  readonly groupId: string;
  readonly provider: KeyProvider;
  /** It could not be used when somebody looked last. */
  readonly isLost: boolean;
  /** Since when it is that key; undefined where nobody knows. */
  readonly since: Date | undefined;
}

/** Of these projects. */
export async function keyStates(tx: ReadTx, groupIds: readonly string[]): Promise<KeyState[]> {
  const wanted = new Set(groupIds);
  return [...(await allEncryption(tx))].flatMap(([groupId, { settings, lost, named }]) =>
    wanted.has(groupId)
      ? [...enabledKeys(settings)].map(([provider, key]) => {
          const date = named[provider];
          const since = date?.key === key ? new Date(date.since) : undefined;
          return { groupId, provider, isLost: lost.includes(provider), since };
        })
      : [],
  );
}
