import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { faults } from '@portolan/foundation/faults';
import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Log, silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { type TestClock, testClock } from '@portolan/foundation/testing';
import { emptyDatabase } from '@portolan/test-support/databases';
import inject, { type InjectOptions, type Response } from 'light-my-request';
import Type from 'typebox';
import { accessFaults, type Caller, Challenge, type Grant } from '../access/index.ts';
import type { Store } from '../store/index.ts';
import { openTestStore } from '../store/testing.ts';
import { type Api, createApi } from './create-api.ts';
import { type AnyOperation, type Call, operationsOf, type PathParameter } from './operation.ts';
import type { ApiOptions, EdgeServices } from './options.ts';

/**
 * This file has the fixtures for the tests of this folder: a service with sample operations, and callers by
 * name.
 */

export const ORG = '5f00000000000000000000aa';
export const GROUP = '5f00000000000000000000bb';
export const ABSENT = '5f00000000000000000000ff';
export const PUBLIC_URL = 'https://service.test:8443';

export const operation = operationsOf<EdgeServices>();

const owner: Grant = { scope: 'group', id: GROUP, role: 'GROUP_OWNER' };

function caller(name: string, grants: readonly Grant[], addresses: readonly string[] = []): Caller {
  return { kind: 'apiKey', id: `id of ${name}`, name, orgId: ORG, grants, addresses, listRequired: false };
}

/** The callers of `Authorization: Bearer <name>`. */
const callers: Readonly<Record<string, Caller>> = {
  owner: caller('owner', [owner]),
  reader: caller('reader', [{ ...owner, role: 'GROUP_READ_ONLY' }]),
  stranger: caller('stranger', []),
  elsewhere: caller('elsewhere', [owner], ['203.0.113.0/24']),
};

const access: ApiOptions['access'] = {
  async authenticate({ authorization }) {
    if (authorization === undefined) throw new Challenge(['Digest realm="test"']);
    const known = callers[authorization.replace('Bearer ', '')];
    if (known === undefined) throw accessFaults.UNAUTHORIZED();
    return known;
  },
  async authenticateOperator(authorization) {
    if (authorization !== 'Bearer operator') throw accessFaults.UNAUTHORIZED();
  },
  recordUse() {},
  recordRequest() {},
};

const missing = faults({
  GROUP_NOT_FOUND: [404, 'No project with id {0} exists.'],
  INVALID_GROUP_ID: [404, '{0} is not the id of a project.'],
});

export const parameters: Readonly<Record<string, PathParameter>> = {
  groupId: {
    description: 'The project.',
    pattern: ID_PATTERN,
    malformed: missing.INVALID_GROUP_ID,
    scope: {
      load: async (_, id) => (id === GROUP ? { kind: 'group', id, orgId: ORG } : undefined),
      missing: missing.GROUP_NOT_FOUND,
    },
  },
  shipName: { description: 'The ship.' },
};

/** A GET operation of a project, for tests that need any operation. */
export const getThing = operation({
  id: 'getThing',
  summary: 'Answers the thing.',
  tag: 'Things',
  method: 'GET',
  path: '/groups/{groupId}/thing',
  access: 'Project Read Only',
  reply: Type.Object({ name: Type.String() }),
  status: 200,
  handler: async () => ({ name: 'thing' }),
});

type Changes = Omit<Partial<AnyOperation<EdgeServices>>, 'handler'> & {
  handler?(call: Call<EdgeServices>): Promise<unknown>;
};

/** Returns a copy of an operation with changes. */
export function variant(original: AnyOperation<EdgeServices>, changes: Changes): AnyOperation<EdgeServices> {
  return { ...original, ...changes } as AnyOperation<EdgeServices>;
}

/** An API that tests can call without a connection. */
export type InjectableApi = Api & { inject(request: InjectOptions): Promise<Response> };

export function injectable(api: Api): InjectableApi {
  return { ...api, inject: (request) => inject(api.listener, request) };
}

export interface TestApi {
  readonly app: InjectableApi;
  readonly machine: TestClock;
  readonly store: Store;
  /** Sends a request as the owner of the project, unless the headers say otherwise. */
  send(request: InjectOptions & { url: string }): Promise<Response>;
}

/** 08:00 on the day after the release of the newest version. */
const NOW = Date.UTC(2025, 2, 13, 8);

/** How far the clock of a test advances when it ends. This is longer than every timeout of a closing connection. */
const CLOSING_MS = 60_000;

export async function testApi(
  t: TestContext,
  operations: readonly AnyOperation<EdgeServices>[],
  more: Partial<ApiOptions> = {},
  log: Log = silentLog(),
): Promise<TestApi> {
  const machine = testClock(NOW);
  const store = await openTestStore(t, await emptyDatabase.sqlite(t));
  const services = { store, machine, random: systemRandom(), log, publicUrl: PUBLIC_URL };
  const app = injectable(createApi({ operations, parameters, services, access, ...more }));
  t.after(async () => {
    const closed = app.close();
    // The test clock does not advance by itself, but some connections close only after a timeout.
    machine.advance(CLOSING_MS);
    await closed;
  });
  return {
    app,
    machine,
    store,
    send: (request) =>
      app.inject({ ...request, headers: { authorization: 'Bearer owner', ...request.headers } }),
  };
}

/**
 * Creates an API as `testApi` does, but listens on a port. With `halfOpen`, clients keep their side of a connection
 * open as long as possible.
 */
export async function listeningApi(
  t: TestContext,
  operations: readonly AnyOperation<EdgeServices>[],
  more: Partial<ApiOptions> & { readonly halfOpen?: boolean } = {},
) {
  const api = await testApi(t, operations, more);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: more.halfOpen ?? false });
    // Ignore the error, since a rejected connection may end with a TCP reset.
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { ...api, port, open };
}

/** Returns all bytes received until the connection ends. */
export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(socket, 'close');
  return text;
}

/** Parses a response with a JSON body, as received. */
export function parsedAnswer(text: string): { status: number; head: string; body: unknown } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
}

/**
 * Returns the body of an error. `field` is the field that the error concerns; by default, the error concerns
 * no field.
 */
export function errorBody(
  status: number,
  errorCode: string,
  parameters: unknown[],
  detail: string,
  reason: string,
  field?: string,
) {
  const fields =
    field === undefined ? {} : { badRequestDetail: { fields: [{ description: detail, field }] } };
  return { ...fields, detail, error: status, errorCode, parameters, reason };
}
