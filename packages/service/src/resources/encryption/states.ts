import type { ReadTx } from '../../store/index.ts';
import { enabledKeys, type KeyProvider } from './providers.ts';
import { allSettings } from './rows.ts';

/** The state of the master key that a project uses with a provider. */
export interface KeyState {
  readonly groupId: string;
  readonly provider: KeyProvider;
  /** Whether the last check found the key unusable. */
  readonly isLost: boolean;
  /** When this key was set; undefined if unknown. */
  readonly since: Date | undefined;
}

/** Returns the states of the keys of all projects. */
export async function keyStates(tx: ReadTx): Promise<KeyState[]> {
  return [...(await allSettings(tx))].flatMap(([groupId, { settings, lost, named }]) =>
    [...enabledKeys(settings)].map(([provider, key]) => {
      const date = named[provider];
      const since = date?.key === key ? new Date(date.since) : undefined;
      return { groupId, provider, isLost: lost.includes(provider), since };
    }),
  );
}
