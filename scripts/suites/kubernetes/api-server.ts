import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { kubeconfigOf } from '@portolan/test-support/kubernetes/kubeconfig';
import { parseAllDocuments } from 'yaml';
import { endProgram, freePort, ready, startProgram } from './processes.ts';

/** A real API server with etcd, and kubeconfig files of accounts. */
export interface RealServer extends AsyncDisposable {
  /** Folder with `administrator.json`, `service.json`, `stranger.json` and `unknown.json`. */
  readonly kubeconfigs: string;
  /** Sends a request as an administrator. */
  call(method: string, path: string, body?: object, type?: string): Promise<RealReply>;
  /** Creates the objects of YAML documents, or changes them. */
  applyAll(documents: string): Promise<void>;
  /** Sends a signal to the API server: `SIGSTOP` freezes it, and `SIGCONT` resumes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts the API server again, with the same address, certificate and store. */
  start(): Promise<void>;
  /** Removes the past versions of all objects from the store. */
  compact(): Promise<void>;
}

interface RealReply {
  readonly status: number;
  readonly body: RealObject;
}

export interface RealObject {
  readonly kind?: string;
  readonly message?: string;
  readonly metadata?: { readonly name: string; readonly namespace?: string; readonly generation?: number };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly items?: readonly RealObject[];
}

/** The user name and the group of each account. The user name of `service` is that of the account in the manifest. */
const users = {
  administrator: ['administrator', 'system:masters'],
  service: ['system:serviceaccount:portolan:portolan', 'system:serviceaccounts'],
  stranger: ['stranger', 'strangers'],
} as const;

export async function startRealServer(
  folder: string,
  programs: { readonly apiServer: string; readonly etcd: string },
): Promise<RealServer> {
  const store = await startStore(folder, programs.etcd);
  const port = await freePort();
  const args = argumentsOf(folder, store.url, port);
  const server = `https://127.0.0.1:${port}`;
  // The server writes its certificate when it starts.
  const authority = () => readFileSync(join(folder, 'certificates', 'apiserver.crt'), 'utf8');
  const call = callerOf(server, authority);
  const run = async () => {
    const child = startProgram(programs.apiServer, args, { log: join(folder, 'kube-apiserver.log') });
    await ready(child, 'kube-apiserver', async () => (await call('GET', '/readyz')).status === 200);
    return child;
  };
  let child = await run();
  const kubeconfigs = join(folder, 'kubeconfigs');
  mkdirSync(kubeconfigs);
  for (const token of [...Object.keys(users), 'unknown']) {
    const access = { server, authority: authority(), user: { token } };
    writeFileSync(join(kubeconfigs, `${token}.json`), kubeconfigOf(access), { mode: 0o600 });
  }
  return {
    ...{ kubeconfigs, call },
    applyAll: (documents) => applyAll(call, documents),
    signal: (signal) => void child.kill(signal),
    end: (signal) => endProgram(child, signal),
    start: async () => {
      child = await run();
    },
    compact: () => compact(store.url),
    async [Symbol.asyncDispose]() {
      await endProgram(child);
      await endProgram(store.child);
    },
  };
}

async function startStore(folder: string, program: string) {
  const [port, peers] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = startProgram(
    program,
    [
      ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', `http://127.0.0.1:${peers}`, '--unsafe-no-fsync'],
    ],
    { log: join(folder, 'etcd.log') },
  );
  await ready(child, 'etcd', async () => (await fetch(`${url}/health`)).ok);
  return { child, url };
}

/** Compacts the store at its current revision. The key `\\0` stands for the first key; the reply names the revision. */
async function compact(url: string): Promise<void> {
  const send = async (path: string, body: object) => {
    const reply = await fetch(`${url}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`etcd ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as { readonly header: { readonly revision: string } };
  };
  const { header } = await send('range', { key: 'AA==' });
  await send('compaction', { revision: header.revision, physical: true });
}

function argumentsOf(folder: string, store: string, port: number): string[] {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  const lines = Object.entries(users).map(
    ([token, [name, group]]) => `${token},${name},${name},"${group}"\n`,
  );
  const signing = file('signing.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return [
    ...[`--etcd-servers=${store}`, '--bind-address=127.0.0.1', `--secure-port=${port}`],
    ...[`--cert-dir=${join(folder, 'certificates')}`, `--token-auth-file=${file('tokens', lines.join(''))}`],
    ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24'],
    ...[
      '--service-account-issuer=https://kubernetes.default.svc',
      '--disable-admission-plugins=ServiceAccount',
    ],
    `--service-account-signing-key-file=${signing}`,
    `--service-account-key-file=${file('verifying.pem', publicKey.export({ type: 'spki', format: 'pem' }))}`,
  ];
}

function callerOf(server: string, authority: () => string): RealServer['call'] {
  return (method, path, body, type = 'application/merge-patch+json') =>
    new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer administrator', 'content-type': type };
      const options = { method, headers, ca: authority() };
      const read = async (incoming: IncomingMessage) => {
        let text = '';
        for await (const chunk of incoming) text += chunk;
        const isJson = incoming.headers['content-type']?.startsWith('application/json');
        resolve({ status: incoming.statusCode ?? 0, body: isJson ? JSON.parse(text) : {} });
      };
      // A server that is killed ends a reply before its end.
      const outgoing = request(
        new URL(path, server),
        options,
        (incoming) => void read(incoming).catch(reject),
      );
      outgoing.on('error', reject).end(body === undefined ? '' : JSON.stringify(body));
    });
}

/** The names of kinds in paths. */
const plurals: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  CustomResourceDefinition: 'customresourcedefinitions',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ServiceAccount: 'serviceaccounts',
  Pod: 'pods',
};

async function applyAll(call: RealServer['call'], documents: string): Promise<void> {
  for (const document of parseAllDocuments(documents)) {
    const object = document.toJS();
    if (object === null) continue;
    const { apiVersion, kind, metadata } = object;
    const base = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
    const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    const path = `${base}${place}/${plurals[kind]}/${metadata.name}?fieldManager=suite&force=true`;
    const { status, body } = await call('PATCH', path, object, 'application/apply-patch+yaml');
    if (status >= 300) throw new Error(`${kind} ${metadata.name}: ${status} ${body.message}`);
  }
}

/** Returns the manifest as the command line prints it. */
export function printedManifest(root: string): string {
  const main = join(root, 'packages/portolan/src/main.ts');
  const args = [...process.execArgv, main, 'kubernetes', 'manifest'];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}
