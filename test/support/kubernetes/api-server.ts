import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { freePort } from '../ports.ts';
import { type Scope, temporaryFolder } from '../service.ts';
import type { Json } from './fields.ts';
import { keyOf } from './kinds.ts';
import { type Access, kubeconfigOf } from './kubeconfig.ts';
import { Objects, type StoredObject } from './objects.ts';
import { Refused, statusOf } from './refused.ts';
import { replyTo } from './replies.ts';
import { Watches } from './watches.ts';

/** The accounts by their tokens. The account `stranger` has no permissions. */
const tokens = {
  service: 'token of a harbour pilot',
  administrator: 'token of a harbour master',
  stranger: 'token of a passenger',
};

/**
 * An emulator of the API server of Kubernetes. It keeps versions, field managers and finalizers of objects, and sends
 * watch events and bookmarks. It checks only names and namespaces, and no operator changes the objects.
 */
export interface ApiServer {
  /** Path of a kubeconfig file. */
  readonly kubeconfig: string;
  readonly token: string;
  resource(namespace: string, name: string): StoredObject | undefined;
  resources(): readonly StoredObject[];
  /** Resources of snapshots and of restores. */
  backups(): readonly StoredObject[];
  restores(): readonly StoredObject[];
  secret(namespace: string, name: string): StoredObject | undefined;
  namespaces(): readonly string[];
  /** Sets the status of a resource, as an operator does. */
  setStatus(object: StoredObject, status: Json): void;
  /** Changes a resource in the name of another field manager. */
  change(object: StoredObject, change: Json, manager: string): void;
  delete(object: StoredObject): void;
  /** Removes the finalizers of a resource, as the operator does after it has ended the nodes. */
  finish(object: StoredObject): void;
  /** Removes past events, so that a client whose watch begins at an earlier version must list the objects again. */
  compact(): void;
  /** Sends bookmarks to all watches, with a version that no watched object has. */
  bookmark(): void;
  /** Closes all watches. */
  interrupt(): void;
  /** Makes the server stop or resume replying. */
  freeze(isFrozen: boolean): void;
  /** Methods and URLs of all requests so far. */
  readonly requests: readonly string[];
  /** Writes another kubeconfig file, by default with the address of this server. */
  kubeconfigFor(access: Partial<Access> & Pick<Access, 'user'>): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface ApiServerOptions {
  /**
   * PEM texts of the server's certificate and key, and of the authority of clients and servers. By default, plain HTTP
   * is used.
   */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
}

const PLURAL = 'perconaservermongodbs';
const operator = { manager: 'operator', subresource: '' };

export const accounts: Readonly<Record<keyof typeof tokens, { readonly token: string }>> = {
  service: { token: tokens.service },
  administrator: { token: tokens.administrator },
  stranger: { token: tokens.stranger },
};

export async function startApiServer(scope: Scope, { tls }: ApiServerOptions = {}): Promise<ApiServer> {
  const objects = new Objects();
  const watches = new Watches(objects);
  const port = await freePort();
  const folder = await temporaryFolder(scope);
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const requests: string[] = [];
  let isFrozen = false;
  let server: Server | undefined;
  let files = 0;

  async function kubeconfigFor(access: Partial<Access> & Pick<Access, 'user'>): Promise<string> {
    const path = join(folder, `kubeconfig-${++files}`);
    await writeFile(path, kubeconfigOf({ server: url, authority: tls?.ca, ...access }), { mode: 0o600 });
    return path;
  }
  async function start(): Promise<void> {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (!isFrozen) void reply({ objects, watches, requests }, request, response);
    };
    const options = { ...tls, requestCert: true, rejectUnauthorized: false };
    server = tls === undefined ? createServer(answer) : createTlsServer(options, answer);
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
    ...{ kubeconfig: await kubeconfigFor({ user: accounts.service }), token: tokens.service },
    ...{ start, stop, requests, kubeconfigFor },
    resource: (namespace, name) => objects.find(`${PLURAL}/${namespace}/${name}`),
    resources: () => objects.list(`${PLURAL}/`),
    backups: () => objects.list('perconaservermongodbbackups/'),
    restores: () => objects.list('perconaservermongodbrestores/'),
    secret: (namespace, name) => objects.find(`secrets/${namespace}/${name}`),
    namespaces: () => objects.list('namespaces/').map(({ metadata }) => metadata.name),
    setStatus: (object, status) => void objects.setStatus(keyOf(object), status),
    change: (object, change, manager) => void objects.merge(keyOf(object), change, { ...operator, manager }),
    delete: (object) => objects.delete(keyOf(object)),
    finish: (object) => void objects.merge(keyOf(object), { metadata: { finalizers: [] } }, operator),
    compact: () => objects.compact(),
    bookmark: () => {
      objects.advance();
      watches.bookmark();
    },
    interrupt: () => watches.interrupt(),
    freeze: (frozen) => {
      isFrozen = frozen;
    },
  };
}

interface State {
  readonly objects: Objects;
  readonly watches: Watches;
  readonly requests: string[];
}

async function reply(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  try {
    checkAccount(request);
    const { method = '' } = request;
    state.requests.push(`${method} ${request.url}`);
    if (url.searchParams.get('watch') === 'true') state.watches.open(url, response);
    else {
      const type = request.headers['content-type'] ?? '';
      send(200, replyTo(state.objects, { method, url, type, body: await bodyOf(request) }));
    }
  } catch (error) {
    const status = statusOf(error);
    send(status.code, status);
  }
}

/** Authenticates a request: by its token or, without one, by a client certificate that the authority has signed. */
function checkAccount({ headers: { authorization }, socket }: IncomingMessage): void {
  if (authorization === undefined && (socket as TLSSocket).authorized) return;
  const token = authorization?.replace(/^Bearer /, '');
  if (token === tokens.stranger) throw new Refused(403, 'Forbidden', 'User "stranger" cannot do this');
  if (token !== tokens.service && token !== tokens.administrator) {
    throw new Refused(401, 'Unauthorized', 'Unauthorized');
  }
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : (JSON.parse(text) as Json);
}
