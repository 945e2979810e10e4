import type { MachineClock } from '../runtime/clock.ts';
import type { SecretBox } from '../runtime/secret-box.ts';
import { type Cache, cache, type ReadTx, type Store } from '../store/index.ts';
import type { Caller } from './caller.ts';
import type { DigestAlgorithm } from './digest/header.ts';
import { addressesOf, findApiKey, findServiceAccount, grantsOf, isRevoked } from './rows.ts';

/** An API key, ready to be checked and to call. */
export interface KnownApiKey {
  readonly caller: Caller;
  /** HA1 by algorithm, in clear: opened once, then kept in memory. */
  readonly ha1: Readonly<Record<DigestAlgorithm, string>>;
}

/** What authentication looks up, kept in memory until a commit touches it. */
export interface Credentials {
  readonly apiKeys: Cache<KnownApiKey | undefined>;
  readonly serviceAccounts: Cache<Caller | undefined>;
  readonly revokedTokens: Cache<boolean>;
  close(): void;
}

/** Keys of the caches, which whoever writes the rows touches. */
export const cacheKeys = {
  publicKey: (publicKey: string) => `api-key ${publicKey}`,
  clientId: (id: string) => `service-account ${id}`,
  /** Roles, addresses and existence of an API key or a service account, by its id. */
  principal: (id: string) => `principal ${id}`,
  token: (id: string) => `revoked-token ${id}`,
};

/** Names what is sealed in a column, so that no sealed value can stand in for another. */
export const sealContext = {
  ha1: (algorithm: DigestAlgorithm, keyId: string) => `api key ${keyId} ha1 ${algorithm}`,
  secretHash: (secretId: string) => `service account secret ${secretId}`,
};

export function openCredentials(store: Store, machine: MachineClock, secrets: SecretBox): Credentials {
  const apiKeys = cache({ store, machine, load: loadApiKey(secrets) });
  const serviceAccounts = cache({ store, machine, load: loadServiceAccount });
  const revokedTokens = cache({
    store,
    machine,
    load: (tx, key) => isRevoked(tx, nameIn(key)),
  });
  return {
    apiKeys,
    serviceAccounts,
    revokedTokens,
    close() {
      for (const each of [apiKeys, serviceAccounts, revokedTokens]) each.close();
    },
  };
}

function loadApiKey(secrets: SecretBox) {
  return async (
    tx: ReadTx,
    key: string,
    dependsOn: (key: string) => void,
  ): Promise<KnownApiKey | undefined> => {
    const row = await findApiKey(tx, nameIn(key));
    if (!row) return undefined;
    dependsOn(cacheKeys.principal(row.id));
    const open = (algorithm: DigestAlgorithm, sealed: Uint8Array) =>
      secrets.open(sealed, sealContext.ha1(algorithm, row.id)).toString();
    return {
      caller: await callerOf(tx, { kind: 'apiKey', id: row.id, name: row.public_key, orgId: row.org_id }),
      ha1: { MD5: open('MD5', row.ha1_md5), 'SHA-256': open('SHA-256', row.ha1_sha256) },
    };
  };
}

async function loadServiceAccount(tx: ReadTx, key: string, dependsOn: (key: string) => void) {
  const row = await findServiceAccount(tx, nameIn(key));
  if (!row) return undefined;
  dependsOn(cacheKeys.principal(row.id));
  return callerOf(tx, { kind: 'serviceAccount', id: row.id, name: row.id, orgId: row.org_id });
}

async function callerOf(tx: ReadTx, who: Omit<Caller, 'grants' | 'addresses'>): Promise<Caller> {
  const [grants, addresses] = [await grantsOf(tx, who.id), await addressesOf(tx, who.id)];
  return { ...who, grants, addresses };
}

/** The part of a cache key behind its kind. */
function nameIn(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}
