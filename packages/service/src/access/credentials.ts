import type { MachineClock } from '@portolan/foundation/clock';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { type Cache, cache, cacheKeysOf, type DependsOn, type ReadTx, type Store } from '../store/index.ts';
import type { Caller } from './caller.ts';
import type { DigestAlgorithm } from './digest/header.ts';
import {
  addressesOf,
  findApiKey,
  findServiceAccount,
  grantsOf,
  isListRequired,
  isRevoked,
  secretsOf,
} from './rows.ts';

/** A cached API key. */
interface KnownApiKey {
  readonly id: string;
  readonly orgId: string;
  /** Decrypted HA1 hashes, by algorithm. */
  readonly ha1: Readonly<Record<DigestAlgorithm, string>>;
}

/** A cached service account. */
interface KnownServiceAccount {
  readonly caller: Caller;
  /**
   * Expiry of each secret in service time, by secret id. A token expires when the secret with which it was requested
   * expires, or earlier.
   */
  readonly secrets: ReadonlyMap<string, number>;
}

/** Caches for authentication. A commit that changes a row invalidates the entries that were read from this row. */
export interface Credentials {
  /** API keys with their HA1, by public key. Roles are looked up only after authentication. */
  readonly apiKeys: Cache<KnownApiKey | undefined>;
  readonly keyCallers: Cache<Caller | undefined>;
  readonly serviceAccounts: Cache<KnownServiceAccount | undefined>;
  readonly revokedTokens: Cache<boolean>;
  close(): void;
}

/** Cache keys. A transaction that changes rows must invalidate the keys of these rows with `tx.touch`. */
export const cacheKeys = {
  publicKey: cacheKeysOf('api-key'),
  clientId: cacheKeysOf('service-account'),
  /** Roles, addresses and existence of an API key or a service account, by its id. */
  principal: cacheKeysOf('principal'),
  /** Whether an organization requires address lists. */
  listRequirement: cacheKeysOf('address-list requirement'),
  token: cacheKeysOf('revoked-token'),
};

/** Encryption contexts. A value that was encrypted in one context cannot be decrypted in another. */
export const sealContext = {
  ha1: (algorithm: DigestAlgorithm, keyId: string) => `api key ${keyId} ha1 ${algorithm}`,
  secretHash: (secretId: string) => `service account secret ${secretId}`,
};

export function openCredentials(store: Store, machine: MachineClock, secrets: SecretBox): Credentials {
  const keep = (value: unknown) => value !== undefined;
  const apiKeys = cache({ store, machine, keys: cacheKeys.publicKey, keep, load: loadApiKey(secrets) });
  const keyCallers = cache({ store, machine, keys: cacheKeys.publicKey, keep, load: loadKeyCaller });
  const serviceAccounts = cache({ store, machine, keys: cacheKeys.clientId, load: loadServiceAccount });
  const revokedTokens = cache({
    store,
    machine,
    keys: cacheKeys.token,
    load: (tx, id) => isRevoked(tx, id),
  });
  return {
    apiKeys,
    keyCallers,
    serviceAccounts,
    revokedTokens,
    close() {
      for (const each of [apiKeys, keyCallers, serviceAccounts, revokedTokens]) each.close();
    },
  };
}

function loadApiKey(secrets: SecretBox) {
  return async (tx: ReadTx, publicKey: string, dependsOn: DependsOn): Promise<KnownApiKey | undefined> => {
    const row = await findApiKey(tx, publicKey);
    if (!row) return undefined;
    dependsOn(cacheKeys.principal(row.id));
    const open = (algorithm: DigestAlgorithm, sealed: Uint8Array) =>
      secrets.open(sealed, sealContext.ha1(algorithm, row.id)).toString();
    return {
      id: row.id,
      orgId: row.org_id,
      ha1: { MD5: open('MD5', row.ha1_md5), 'SHA-256': open('SHA-256', row.ha1_sha256) },
    };
  };
}

async function loadKeyCaller(
  tx: ReadTx,
  publicKey: string,
  dependsOn: DependsOn,
): Promise<Caller | undefined> {
  const row = await findApiKey(tx, publicKey);
  if (!row) return undefined;
  return callerOf(tx, { kind: 'apiKey', id: row.id, name: row.public_key, orgId: row.org_id }, dependsOn);
}

async function loadServiceAccount(
  tx: ReadTx,
  clientId: string,
  dependsOn: DependsOn,
): Promise<KnownServiceAccount | undefined> {
  const row = await findServiceAccount(tx, clientId);
  if (!row) return undefined;
  const who = { kind: 'serviceAccount', id: row.id, name: row.id, orgId: row.org_id } as const;
  const secrets = await secretsOf(tx, row.id);
  return {
    caller: await callerOf(tx, who, dependsOn),
    secrets: new Map(secrets.map((row) => [row.id, row.expires_at ?? Number.POSITIVE_INFINITY])),
  };
}

type Named = Omit<Caller, 'grants' | 'addresses' | 'listRequired'>;

async function callerOf(tx: ReadTx, who: Named, dependsOn: DependsOn): Promise<Caller> {
  dependsOn(cacheKeys.principal(who.id));
  dependsOn(cacheKeys.listRequirement(who.orgId));
  return {
    ...who,
    grants: await grantsOf(tx, who.id),
    addresses: await addressesOf(tx, who.id),
    listRequired: await isListRequired(tx, who.orgId),
  };
}
