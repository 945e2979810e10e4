import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import type { Scope } from '../service.ts';
import { accounts, startApiServer } from './api-server.ts';

/**
 * An API server for tests. If the variable `KUBERNETES_GROUND` is set, this is the server whose kubeconfig files are in
 * that folder; otherwise, it is the emulator. `npm run suites -- kubernetes` sets the variable.
 */
export interface Ground {
  /** A namespace that exists. */
  readonly namespace: string;
  /** Paths of kubeconfig files. The service has the rights that `portolan kubernetes manifest` prints. */
  readonly kubeconfigs: Readonly<Record<'service' | 'stranger' | 'unknown', string>>;
  /** Sends a request as an administrator. */
  call(method: string, path: string, body?: object, type?: string): Promise<GroundReply>;
}

interface GroundReply {
  readonly status: number;
  readonly body: {
    readonly items?: readonly object[];
    readonly reason?: string;
    readonly message?: string;
    readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
  };
}

const NAMESPACE = 'portolan-tests';
const MERGE = 'application/merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

export async function openGround(scope: Scope): Promise<Ground> {
  const folder = process.env.KUBERNETES_GROUND;
  const files = folder === undefined ? await standIn(scope) : filesIn(folder);
  const { administrator, ...kubeconfigs } = files;
  const call = callerOf(administrator);
  const metadata = { name: NAMESPACE };
  const path = `/api/v1/namespaces/${NAMESPACE}?fieldManager=tests`;
  await call('PATCH', path, { apiVersion: 'v1', kind: 'Namespace', metadata }, APPLY);
  return { namespace: NAMESPACE, kubeconfigs, call };
}

const names = ['administrator', 'service', 'stranger', 'unknown'] as const;
type Files = Readonly<Record<(typeof names)[number], string>>;

function filesIn(folder: string): Files {
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.json`)])) as Files;
}

async function standIn(scope: Scope): Promise<Files> {
  const { kubeconfigFor } = await startApiServer(scope);
  const [administrator, service, stranger, unknown] = await Promise.all(
    [accounts.administrator, accounts.service, accounts.stranger, { token: 'forged' }].map((user) =>
      kubeconfigFor({ user }),
    ),
  );
  return { administrator, service, stranger, unknown } as Files;
}

/** Calls an API with a kubeconfig file that `kubeconfigOf` has written. */
function callerOf(kubeconfig: string): Ground['call'] {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  const { server, 'certificate-authority-data': authority = '' } = clusters[0].cluster;
  const send = server.startsWith('https:') ? requestTls : requestPlain;
  const ca = authority === '' ? {} : { ca: Buffer.from(authority, 'base64') };
  return (method, path, body, type = MERGE) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${users[0].user.token}`, 'content-type': type };
      const read = async (incoming: IncomingMessage) => {
        let text = '';
        for await (const chunk of incoming) text += chunk;
        resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) });
      };
      // A server that is killed ends a reply before its end.
      const outgoing = send(
        new URL(path, server),
        { method, headers, ...ca },
        (incoming) => void read(incoming).catch(reject),
      );
      outgoing.on('error', reject).end(body === undefined ? '' : JSON.stringify(body));
    });
}
