import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { type TestClock, testClock } from '@portolan/foundation/testing';
import type { DatabaseLocation } from '../store/index.ts';
import { openTestStore } from '../store/testing.ts';
import { type Access, type AccessOptions, openAccess } from './access.ts';
import type { Caller } from './caller.ts';
import { Challenge } from './challenge.ts';
import { REALM } from './digest/digest.ts';
import type { DigestAlgorithm } from './digest/header.ts';
import { expectedResponse, ha1 } from './digest/response.ts';
import { migrations } from './migrations.ts';
import { createApiKey, createServiceAccount, type NewApiKey } from './principals.ts';
import type { RequestFacts } from './request.ts';

/**
 * This file has the fixtures for the tests of this folder: the access module over a store with a test clock.
 */

export interface TestInstance extends AccessOptions {
  readonly machine: TestClock;
  readonly access: Access;
  /** Closes the instance early, for a test that restarts the service. */
  close(): Promise<void>;
}

const secretKey = Buffer.alloc(32, 1);

/** Opens an instance of the access module over a database. It is closed after the test. */
export async function openInstance(
  t: TestContext,
  database: DatabaseLocation,
  machine: TestClock = testClock(),
): Promise<TestInstance> {
  const random = systemRandom();
  const secrets = secretBox(secretKey, random);
  const clock = serviceClock(machine);
  const store = await openTestStore(t, database, { machine, clock, migrations });
  const options = { store, secrets, random, machine, clock, log: silentLog() };
  const access = await openAccess(options);
  t.after(() => access.close());
  async function close() {
    await access.close();
    await store.close();
  }
  return { ...options, access, close };
}

export const TEST_ORG = '5f00000000000000000000aa';
export const TEST_TARGET = '/api/service/v2/groups?pretty=true';
export const TEST_ADDRESS = '203.0.113.7';

/** Creates an API key without roles. */
export function newKey(instance: TestInstance): Promise<NewApiKey> {
  return instance.store.write((tx) => createApiKey(tx, instance, { orgId: TEST_ORG, description: 'a key' }));
}

/** Creates a service account without roles, and returns an access token for it. */
export async function newToken(instance: TestInstance): Promise<string> {
  const input = { orgId: TEST_ORG, name: 'an account', description: 'for tests', secretExpiresAt: undefined };
  const { clientId, secret } = await instance.store.write((tx) => createServiceAccount(tx, instance, input));
  const { document } = await instance.access.oauth.token({
    authorization: `Basic ${btoa(`${clientId}:${secret.clear}`)}`,
    contentType: 'application/x-www-form-urlencoded',
    body: 'grant_type=client_credentials',
    address: TEST_ADDRESS,
  });
  return String(document?.access_token);
}

export function send({ access }: TestInstance, sent: Partial<RequestFacts> = {}): Promise<Caller> {
  const request = { method: 'GET', target: TEST_TARGET, address: TEST_ADDRESS, authorization: undefined };
  return access.authenticate({ ...request, ...sent });
}

/** Sends a request that must fail; returns its challenges. */
export async function refused(
  instance: TestInstance,
  sent: Partial<RequestFacts> = {},
): Promise<readonly string[]> {
  const fault = await send(instance, sent).then(
    (caller) => assert.fail(`admitted as ${caller.name}`),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Challenge, String(fault));
  const challenges = fault.headers?.['WWW-Authenticate'];
  assert.ok(Array.isArray(challenges));
  return challenges;
}

export const freshNonce = async (instance: TestInstance) => nonceOf(await refused(instance));
export const isStale = (challenges: readonly string[]) =>
  challenges.every((line) => line.endsWith('stale=true'));

/** Returns the nonce of the first challenge. */
function nonceOf(challenges: readonly string[]): string {
  return /nonce="([^"]+)"/.exec(challenges[0] ?? '')?.[1] ?? '';
}

/** Returns an `Authorization` header as clients compute it. */
export function digestHeader(of: {
  publicKey: string;
  privateKey: string;
  nonce: string;
  target?: string;
  method?: string;
  nc?: number;
  algorithm?: DigestAlgorithm;
  /** Whether to use the form of RFC 2069, without `qop`. */
  old?: boolean;
}): string {
  const { publicKey: username, nonce, target: uri = TEST_TARGET, method = 'GET', algorithm = 'MD5' } = of;
  const nc = (of.nc ?? 1).toString(16).padStart(8, '0');
  const cnonce = '0a4f113b';
  const quality = of.old === true ? undefined : { nc, cnonce };
  const given = { username, realm: REALM, nonce, uri, algorithm, quality };
  const response = expectedResponse(ha1(algorithm, username, REALM, of.privateKey), method, given);
  const quoted = { username, realm: REALM, nonce, uri, response, ...(quality && { cnonce }) };
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  const counted = quality ? [`nc=${nc}`, 'qop=auth'] : [];
  return `Digest ${[...fields, `algorithm=${algorithm}`, ...counted].join(', ')}`;
}
