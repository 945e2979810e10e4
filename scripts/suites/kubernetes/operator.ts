import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { RealServer } from './api-server.ts';
import { startProgram } from './processes.ts';

const NAMESPACE = 'percona-operator';
const POD = 'operator';

/** The operator reads a file with the name of its namespace, and the Pod whose name is in HOSTNAME. */
const documents = `
apiVersion: v1
kind: Namespace
metadata: { name: ${NAMESPACE} }
---
apiVersion: v1
kind: Pod
metadata: { name: ${POD}, namespace: ${NAMESPACE} }
spec: { containers: [{ name: operator, image: percona/percona-server-mongodb-operator:1.22.0 }] }
`;

/** Mounts an empty directory over `/run`, and writes the file into it. Only the operator sees this directory. */
const script = `mount -t tmpfs tmpfs /run && mkdir -p /run/secrets/kubernetes.io/serviceaccount &&
  printf %s ${NAMESPACE} > /run/secrets/kubernetes.io/serviceaccount/namespace && exec "$@"`;

/** Starts the operator as a process, for all namespaces. */
export async function startOperator(
  server: RealServer,
  folder: string,
  program: string,
): Promise<ChildProcess> {
  await server.applyAll(documents);
  const flags = ['--leader-elect=false', '--metrics-bind-address=0', '--health-probe-bind-address=0'];
  const args = ['--mount', '--map-root-user', 'sh', '-c', script, 'sh', program, ...flags];
  return startProgram('unshare', args, {
    log: join(folder, 'operator.log'),
    env: {
      KUBECONFIG: join(server.kubeconfigs, 'administrator.json'),
      ...{ WATCH_NAMESPACE: '', HOSTNAME: POD, DISABLE_TELEMETRY: 'true' },
    },
  });
}
