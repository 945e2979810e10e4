import { parentPort } from 'node:worker_threads';
import { machineClock, serviceClock } from '../../../runtime/clock.ts';
import { systemRandom } from '../../../runtime/random.ts';
import { threadLog } from '../thread-log.ts';
import { WorkerPorts } from './ports.ts';
import { QueryWorker } from './query-worker.ts';

/** What a query worker's thread runs; `protocol.ts` says what it understands. */
if (parentPort === null) throw new Error('a query worker runs in a worker thread');

const machine = machineClock();
const service = serviceClock(machine);
const log = threadLog(parentPort);
const worker = new QueryWorker({ machine, service, random: systemRandom(), log });
new WorkerPorts(worker, service, parentPort);
