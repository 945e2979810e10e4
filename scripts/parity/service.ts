import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { OpenApi } from './operations.ts';
import type { Replayed } from './replay.ts';

interface Bootstrap {
  readonly url: string;
  readonly caCertificate: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly operatorToken: string;
  readonly orgId: string;
  readonly groupId: string;
}

/** The ids under which recordings contain the organization and the project. */
export const RECORDED_ORG = 'a0123456789abcdef012345a';
export const RECORDED_PROJECT = 'b0123456789abcdef012345b';

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface RunningService extends Replayed, AsyncDisposable {
  readonly url: string;
  /** The path of the certificate of its authority. */
  readonly caCertificate: string;
  readonly orgId: string;
  /** Sends a request of the operator. */
  operator(method: string, path: string, body?: unknown): Promise<Reply>;
  /**
   * Maps the ids of the recorded organization and project to ids in this service. If `ownProject` is set, the project
   * is new.
   */
  knownIds(options: { readonly ownProject: boolean }): Promise<Map<string, string>>;
  /** An access token. */
  readonly token: Promise<string>;
  /** The name of a person in the organization. */
  readonly username: string;
}

/** Starts a new service that deletes its data when it is closed. `more` contains further arguments. */
export async function startService(root: string, more: readonly string[] = []): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-parity-'));
  const settings = ['--data-dir', folder, '--listen', '127.0.0.1:0', ...more];
  const args = [...process.execArgv, join(root, 'packages/portolan/src/main.ts'), 'start', ...settings];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready ')) break;
  child.stdout.resume();
  const bootstrap = JSON.parse(await readFile(join(folder, 'bootstrap.json'), 'utf8')) as Bootstrap;
  setDefaultCACertificates([
    ...getCACertificates('default'),
    await readFile(bootstrap.caCertificate, 'utf8'),
  ]);
  const calls = callsOf(bootstrap);
  await addPerson(calls, bootstrap);
  const { url, caCertificate, orgId } = bootstrap;
  return {
    ...calls,
    ...{ url, caCertificate, orgId, username: PERSON },
    operator: (method, path, body) =>
      request(`${url}/operator/v1${path}`, { method, token: bootstrap.operatorToken, type: JSON_TYPE, body }),
    async knownIds({ ownProject }) {
      const project = ownProject ? await addProject(calls, bootstrap) : bootstrap.groupId;
      return new Map([
        [RECORDED_ORG, bootstrap.orgId],
        [RECORDED_PROJECT, project],
      ]);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addProject({ send }: Pick<Replayed, 'send'>, { orgId }: Bootstrap): Promise<string> {
  const { body } = await send('POST', '/groups', '2023-01-01', { name: `Parity ${randomUUID()}`, orgId });
  return (body as { id: string }).id;
}

const PERSON = 'ada@example.org';

/** Adds a person who has logged in, since the recorded organization and project have such members. */
async function addPerson(
  { send }: Pick<Replayed, 'send'>,
  { url, orgId, groupId }: Bootstrap,
): Promise<void> {
  const person = {
    username: PERSON,
    emailAddress: PERSON,
    password: 'a long password 1',
  };
  const name = { firstName: 'Ada', lastName: 'Byron', country: 'GB', mobileNumber: '2125550123' };
  const roles = [
    { orgId, roleName: 'ORG_OWNER' },
    { groupId, roleName: 'GROUP_OWNER' },
  ];
  const { status, body } = await send('POST', '/users', '2023-01-01', { ...person, ...name, roles });
  if (status !== 201) throw new Error(`no person could be added: ${JSON.stringify(body)}`);
  const { username, password } = person;
  const login = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (!login.ok) throw new Error(`the person could not log in: ${login.status} ${await login.text()}`);
}

function callsOf({
  url,
  clientId,
  clientSecret,
}: Bootstrap): Pick<RunningService, 'document' | 'send' | 'token'> {
  const token = fetchToken(`${url}/api/oauth/token`, clientId, clientSecret);
  const documents = new Map<string, Promise<OpenApi>>();
  return {
    token,
    document(version) {
      const known = documents.get(version) ?? fetchJson<OpenApi>(`${url}/api/atlas/openapi/${version}.json`);
      documents.set(version, known);
      return known;
    },
    async send(method, path, version, body) {
      const type = `application/vnd.atlas.${version}+json`;
      return request(`${url}/api/atlas/v2${path}`, { method, token: await token, type, body });
    },
  };
}

const JSON_TYPE = 'application/json';

interface Sent {
  readonly method: string;
  readonly token: string;
  readonly type: string;
  readonly body: unknown;
}

async function request(url: string, { method, token, type, body }: Sent): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { accept: type, 'content-type': type, authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: isJson(text) ? JSON.parse(text) : undefined };
}

const isJson = (text: string) => /^[[{]/.test(text);

async function fetchJson<T>(url: string, options: RequestInit = {}): Promise<T> {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as T;
}

async function fetchToken(url: string, clientId: string, clientSecret: string): Promise<string> {
  const { access_token: token } = await fetchJson<{ access_token: string }>(url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return token;
}
