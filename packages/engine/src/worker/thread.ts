import { parentPort, workerData } from 'node:worker_threads';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import { returnMemory } from '@portolan/foundation/trim-memory';
import { SAMPLE_MS } from '../observe/observation.ts';
import { Outbox } from '../observe/outbox.ts';
import { Checkpoints } from './checkpoints.ts';
import { Heartbeat } from './heartbeat.ts';
import { WorkerPorts } from './ports.ts';
import type { ControlAnswer } from './protocol.ts';
import { QueryWorker } from './query-worker.ts';
import { addSamples } from './sampling.ts';
import { threadLog } from './thread-log.ts';

/** The main program of a query thread. `protocol.ts` declares its messages. */
if (parentPort === null) throw new Error('a query thread runs in a worker thread');

/** The shortest sleep. With the slack of timers, Linux sleeps for about 0.1 ms. */
const SLEEP_MS = 0.05;
const never = new Int32Array(new SharedArrayBuffer(4));
const machine = machineClock();
const service = serviceClock(machine);
const control = parentPort;
const log = threadLog(control);
const outbox = new Outbox((message) => control.postMessage(message));
const heartbeat = new Heartbeat(workerData?.heartbeat);
const checkpoints = new Checkpoints();
let ports: WorkerPorts | undefined;
const worker = new QueryWorker({
  machine,
  service,
  random: systemRandom(),
  log,
  collect: returnMemory,
  yieldProcessor: () => Atomics.wait(never, 0, 0, SLEEP_MS),
  checkpoints,
  describe: (statement) => {
    heartbeat.statement = statement;
  },
  observe: (clusterId, observation) => outbox.add(clusterId, observation),
  withhold: (clusterId, member, seconds) =>
    control.postMessage({ kind: 'withhold', clusterId, member, seconds } satisfies ControlAnswer),
  damaged: (clusterId, fault) =>
    control.postMessage({ kind: 'damaged', clusterId, fault } satisfies ControlAnswer),
  follow: (clusterId) => control.postMessage({ kind: 'follow', clusterId } satisfies ControlAnswer),
  publish: (accounts) => ports?.publish(accounts),
});
repeat({
  machine,
  run: () => addSamples(worker.samples(), outbox, machine),
  interval: SAMPLE_MS,
  onError: rethrow,
});
ports = new WorkerPorts(worker, service, parentPort, heartbeat);
ports.poll = () => checkpoints.receive();
ports.report = () => {
  for (const [clusterId, observation] of worker.samples()) outbox.add(clusterId, observation);
  outbox.flush();
};
