import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { printedManifest, type RealServer, startRealServer } from './api-server.ts';

export interface KubernetesPrograms {
  readonly apiServer: string;
  readonly etcd: string;
  /** Folder of the operator's sources, with `deploy/crd.yaml`. */
  readonly source: string;
  readonly operator: string | undefined;
}

const STEP_MS = 200;
const NAMESPACE = '{ apiVersion: v1, kind: Namespace, metadata: { name: portolan } }\n---\n';

/** Starts a real API server that has the account of the printed manifest and the definitions of the operator. */
export async function startPreparedServer(
  root: string,
  folder: string,
  programs: KubernetesPrograms,
): Promise<RealServer> {
  const server = await startRealServer(folder, programs);
  await server.applyAll(NAMESPACE + printedManifest(root));
  await server.applyAll(readFileSync(join(programs.source, 'deploy', 'crd.yaml'), 'utf8'));
  await definitionsAreServed(server);
  return server;
}

/** Waits until the server serves the new definitions, which takes some time. */
async function definitionsAreServed(server: RealServer): Promise<void> {
  const names = async () => {
    const { body } = await server.call('GET', '/apis/psmdb.percona.com/v1');
    return JSON.stringify(body);
  };
  while (!(await names()).includes('"perconaservermongodbs/status"')) await setTimeout(STEP_MS);
}
