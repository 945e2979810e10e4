import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../parity/service.ts';
import { accepted, cleared } from './accepted.ts';
import type { RealServer } from './api-server.ts';
import { startOperator } from './operator.ts';
import { type KubernetesPrograms, startPreparedServer } from './prepared.ts';
import { endProgram, ready } from './processes.ts';
import { Walk } from './walk.ts';

const CLIENT = 'packages/service/src/kubernetes/client/client.test.ts';
const CAPABILITIES = 'test/kubernetes-claims.test.ts';

/**
 * Starts a real API server on temporary ports. Runs the tests of the service's Kubernetes client against it, with the
 * rights of the printed manifest. Then runs a service whose clusters are resources of this server. Finally tries each
 * capability of these clusters, while no operator changes the statuses that the tests write. No nodes run, since nothing
 * starts pods.
 */
export async function runKubernetes(root: string, programs: KubernetesPrograms): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-kubernetes-'));
  try {
    await using server = await startPreparedServer(root, folder, programs);
    if (!(await passes(root, server, CLIENT))) return false;
    await walk(root, server, folder, programs.operator);
    if (!(await passes(root, server, CAPABILITIES))) return false;
    if (programs.operator === undefined) return true;
    // Start the operator again. It must accept the resources that the tests of the capabilities have left.
    await cleared(server);
    await withOperator(server, folder, programs.operator, () => accepted(server));
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function passes(root: string, { kubeconfigs }: RealServer, tests: string): Promise<boolean> {
  const args = [join(root, 'scripts/run.cjs'), 'scripts/test.ts', tests];
  const env = { ...process.env, KUBERNETES_GROUND: kubeconfigs };
  const [code] = await once(spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }), 'exit');
  return code === 0;
}

async function walk(
  root: string,
  server: RealServer,
  folder: string,
  operator: string | undefined,
): Promise<void> {
  const kubeconfig = join(server.kubeconfigs, 'service.json');
  await using service = await startService(root, ['--engine', 'kubernetes', '--kubeconfig', kubeconfig]);
  const way = new Walk(service, server);
  await way.create();
  if (operator !== undefined)
    await withOperator(server, folder, operator, (child) => seesResource(way, child, folder));
  await way.becomesReady();
  await way.change();
  await way.interfere();
  await way.remove();
}

async function seesResource(way: Walk, child: ChildProcess, folder: string): Promise<void> {
  await ready(child, 'the operator', async () => (await way.resource()).status !== undefined).catch(
    (error) => {
      console.log(readFileSync(join(folder, 'operator.log'), 'utf8').slice(-5_000));
      throw error;
    },
  );
  await way.made();
}

/** Runs `work` while the operator runs. Then ends the operator, so that the suite itself can write statuses. */
async function withOperator(
  server: RealServer,
  folder: string,
  operator: string,
  work: (child: ChildProcess) => Promise<void>,
): Promise<void> {
  const child = await startOperator(server, folder, operator);
  try {
    await work(child);
  } finally {
    await endProgram(child);
  }
}
