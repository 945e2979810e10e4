import { parentPort, workerData } from 'node:worker_threads';
import { type ClockSetting, machineClock, realTime, serviceTime } from '@portolan/foundation/clock';
import { collectGarbage, collectionOfThread } from '@portolan/foundation/idle-collection';
import { systemRandom } from '@portolan/foundation/random';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { SAMPLE_MS } from '../observe/observation.ts';
import { Outbox } from '../observe/outbox.ts';
import { threadLog } from '../worker/thread-log.ts';
import { ConnectedCluster } from './cluster.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import type { ThreadCall, ThreadData, ThreadMessage, ThreadRequest } from './thread-protocol.ts';
import type { ThreadServices } from './thread-services.ts';
import { WorkerLink } from './worker-link.ts';

/**
 * This file is a connection thread. It listens on the ports of members, replies to `hello`, and logs drivers in. It
 * runs no queries.
 */

const port = parentPort;
if (port === null) throw new Error('this file must run as a thread of the engine host');

const { index, threads, tls, connections: mostConnections }: ThreadData = workerData;
const machine = machineClock();
const clusters = new Map<string, ConnectedCluster>();
const links = new Map<number, WorkerLink>();
let clock: ClockSetting = realTime;
let certificate: Certificate | undefined;
let connections = 0;

const log = threadLog(port);
const outbox = new Outbox((message) => post(message));
const post = (message: ThreadMessage) => port.postMessage(message);

const collection = collectionOfThread(machine, collectGarbage);

const services: ThreadServices = {
  heldMuch: () => collection.touch(),
  handled: () => collection.postpone(),
  random: systemRandom(),
  now: () => serviceTime(clock, machine.now()),
  after: machine.after,
  ...(tls ? { certificate: () => certificate } : {}),
  nextConnectionId: () => ++connections * threads + index,
  limiter: new ConnectionLimiter(
    mostConnections,
    () => clusters.size,
    (open) =>
      log.warn({ connections: open }, 'connection limit reached: the system allows no more open files'),
  ),
  observe: (clusterId, observation) => outbox.add(clusterId, { ...observation, time: services.now() }),
  onRejected: (what) => log.info(what, 'connection closed because of an invalid message'),
};

function report(): void {
  for (const [clusterId, cluster] of clusters)
    outbox.add(clusterId, { kind: 'traffic', traffic: cluster.traffic() });
}
repeat({ machine, run: report, interval: SAMPLE_MS, onError: rethrow });

port.on('message', ({ id, call }: ThreadRequest) => {
  handle(call).then(
    () => post({ kind: 'answer', id }),
    (error) => post({ kind: 'answer', id, error: { message: error.message, code: error.code } }),
  );
});

async function handle(call: ThreadCall): Promise<unknown> {
  switch (call.kind) {
    case 'configure':
      return configure(call);
    case 'listen':
      return known(call.clusterId).listen(call);
    case 'drain':
      return known(call.clusterId).drain(call.memberIds);
    case 'unlisten':
      return known(call.clusterId).unlisten(call.memberId);
    case 'worker':
      return addWorker(call);
    case 'route':
      return known(call.clusterId).route(call.workerId === undefined ? undefined : links.get(call.workerId));
    case 'forget':
      return forget(call.clusterId);
    case 'clock':
      clock = call.setting;
      return;
    case 'report':
      report();
      outbox.flush();
      return;
    case 'certificate':
      certificate = call.certificate;
      for (const cluster of clusters.values()) cluster.updateCertificate();
      return;
  }
}

function configure({ view }: { view: ConnectedCluster['view'] }): void {
  const cluster = clusters.get(view.clusterId);
  if (cluster === undefined) clusters.set(view.clusterId, new ConnectedCluster(view, services));
  else cluster.configure(view);
}

function addWorker({ workerId, port: workerPort }: ThreadCall & { kind: 'worker' }): void {
  const link = new WorkerLink(workerPort, ({ accounts, commits = [] }) => {
    if (accounts !== undefined) clusters.get(accounts.clusterId)?.setOwnUsers(accounts);
    for (const commit of commits) clusters.get(commit.clusterId)?.setLastWrite(commit);
  });
  links.set(workerId, link);
  workerPort.on('close', () => links.delete(workerId));
}

async function forget(clusterId: string): Promise<void> {
  const cluster = clusters.get(clusterId);
  clusters.delete(clusterId);
  await cluster?.close();
}

function known(clusterId: string): ConnectedCluster {
  const cluster = clusters.get(clusterId);
  if (cluster === undefined) throw new Error(`cluster ${clusterId} is not open here`);
  return cluster;
}
