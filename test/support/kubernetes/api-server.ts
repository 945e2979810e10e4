import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { type Scope, temporaryFolder } from '../service.ts';
import type { Json } from './fields.ts';
import { Objects, Refused, type StoredObject } from './objects.ts';

const TOKEN = 'token of a harbour pilot';
const BOOKMARK_MS = 500;

/**
 * A stand-in for the API server of Kubernetes. It keeps versions, field managers and finalizers of objects, and sends
 * watch events and bookmarks. It does not validate objects, and no operator acts on them.
 */
export interface ApiServer {
  /** Path of a kubeconfig file. */
  readonly kubeconfig: string;
  readonly token: string;
  resource(namespace: string, name: string): StoredObject | undefined;
  resources(): readonly StoredObject[];
  namespaces(): readonly string[];
  /** Sets the status of a resource, as an operator does. */
  setStatus(object: StoredObject, status: Json): void;
  /** Changes a resource as another field manager. */
  change(object: StoredObject, change: Json, manager: string): void;
  delete(object: StoredObject): void;
  /** Removes the finalizers of a resource, as the operator does when it has ended the nodes. */
  finish(object: StoredObject): void;
  /** Forgets past events, so that interrupted watches must list again. */
  compact(): void;
  /** Closes all watches. */
  interrupt(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const keyOf = ({ metadata }: StoredObject) => `${PLURAL}/${metadata.namespace}/${metadata.name}`;

const PLURAL = 'perconaservermongodbs';
const GROUP = '/apis/psmdb.percona.com/v1';
const discovery: Readonly<Record<string, readonly (readonly [string, string, boolean])[]>> = {
  '/api/v1': [
    ['namespaces', 'Namespace', false],
    ['services', 'Service', true],
  ],
  [GROUP]: [[PLURAL, 'PerconaServerMongoDB', true]],
};

export async function startApiServer(scope: Scope): Promise<ApiServer> {
  const objects = new Objects();
  const port = await freePort();
  const kubeconfig = join(await temporaryFolder(scope), 'kubeconfig');
  await writeFile(kubeconfig, configFor(port), { mode: 0o600 });
  const watches = new Set<ServerResponse>();
  let server: Server | undefined;

  async function start(): Promise<void> {
    server = createServer((request, response) => void answer(objects, watches, request, response));
    await new Promise<void>((resolve, reject) => {
      server?.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  }
  async function stop(): Promise<void> {
    const stopping = server;
    server = undefined;
    if (stopping === undefined) return;
    await new Promise((resolve) => {
      stopping.close(resolve);
      stopping.closeAllConnections();
    });
  }
  scope.after(stop);
  await start();
  return {
    ...{ kubeconfig, token: TOKEN, start, stop },
    resource: (namespace, name) => objects.find(`${PLURAL}/${namespace}/${name}`),
    resources: () => objects.list(`${PLURAL}/`),
    namespaces: () => objects.list('namespaces/').map(({ metadata }) => metadata.name),
    setStatus: (object, status) => void objects.setStatus(keyOf(object), status),
    change: (object, change, manager) => void objects.merge(keyOf(object), change, manager),
    delete: (object) => objects.delete(keyOf(object)),
    finish: (object) => void objects.merge(keyOf(object), { metadata: { finalizers: [] } }, 'operator'),
    compact: () => objects.compact(),
    interrupt: () => {
      for (const watch of watches) watch.end();
    },
  };
}

function configFor(port: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'quay', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
    ],
    users: [{ name: 'pilot', user: { token: TOKEN } }],
    contexts: [{ name: 'quay', context: { cluster: 'quay', user: 'pilot' } }],
    'current-context': 'quay',
  });
}

async function answer(
  objects: Objects,
  watches: Set<ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  try {
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      throw new Refused(401, 'Unauthorized', 'Unauthorized');
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.searchParams.get('watch') === 'true') watch(objects, watches, url, response);
    else send(200, reply(objects, request.method ?? '', url, await bodyOf(request)));
  } catch (error) {
    const { code, reason, message } =
      error instanceof Refused ? error : new Refused(500, 'Error', String(error));
    send(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });
  }
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : (JSON.parse(text) as Json);
}

function reply(objects: Objects, method: string, url: URL, body: Json): unknown {
  const known = discovery[url.pathname];
  if (known !== undefined) return listOfKinds(url.pathname, known);
  const key = keyIn(url.pathname);
  if (method === 'PATCH') {
    const manager = url.searchParams.get('fieldManager') ?? '';
    return objects.apply(key, body, manager, url.searchParams.get('force') === 'true');
  }
  if (method === 'DELETE') {
    objects.delete(key);
    return { kind: 'Status', status: 'Success' };
  }
  const object = objects.find(key);
  if (object !== undefined) return object;
  if (!isCollection(url.pathname)) throw new Refused(404, 'NotFound', `${key} not found`);
  const items = objects.list(`${key}/`).filter((one) => isSelected(one, url));
  return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: String(objects.version) }, items };
}

function listOfKinds(path: string, kinds: readonly (readonly [string, string, boolean])[]) {
  const groupVersion = path.replace(/^\/apis?\//, '');
  const resources = kinds.map(([name, kind, namespaced]) => ({ name, kind, namespaced, verbs: [] }));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

/** `/api/v1/namespaces/N/services/S` has the key `services/N/S`, and a namespace `namespaces/N`. */
function keyIn(path: string): string {
  const parts = path.replace(/^\/(api\/v1|apis\/psmdb\.percona\.com\/v1)\//, '').split('/');
  const [, namespace, plural, ...rest] = parts;
  return plural === undefined ? parts.join('/') : [plural, namespace, ...rest].join('/');
}

const isCollection = (path: string) => /\/(namespaces|services|perconaservermongodbs)$/.test(path);

function isSelected({ metadata }: StoredObject, url: URL): boolean {
  const selector = url.searchParams.get('labelSelector') ?? '';
  return selector
    .split(',')
    .filter((part) => part !== '')
    .every((part) => metadata.labels?.[part.split('=')[0] ?? ''] === part.split('=')[1]);
}

function watch(objects: Objects, watches: Set<ServerResponse>, url: URL, response: ServerResponse): void {
  const key = keyIn(url.pathname);
  const past = objects.since(Number(url.searchParams.get('resourceVersion')));
  response.writeHead(200, { 'content-type': 'application/json' });
  const write = (type: string, object: unknown) => response.write(`${JSON.stringify({ type, object })}\n`);
  const pass = (event: (typeof past)[number]) => {
    if (event.key.startsWith(`${key}/`) && isSelected(event.object, url)) write(event.type, event.object);
  };
  response.flushHeaders();
  for (const event of past) pass(event);
  objects.watchers.add(pass);
  watches.add(response);
  const metadata = () => ({ resourceVersion: String(objects.version) });
  const bookmarks = setInterval(() => write('BOOKMARK', { metadata: metadata() }), BOOKMARK_MS);
  response.once('close', () => {
    clearInterval(bookmarks);
    objects.watchers.delete(pass);
    watches.delete(response);
  });
}
