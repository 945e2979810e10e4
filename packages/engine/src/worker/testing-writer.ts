import { writeSync } from 'node:fs';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { QueryWorker } from './query-worker.ts';
import { admin, CLUSTER_ID, info, sectionsOf } from './testing.ts';

/**
 * This program writes until it is killed. When the reply to an insert is sent, it prints a line with the number of
 * the document. In each iteration, four connections send one insert each.
 */
const [, , dir = ''] = process.argv;
const machine = machineClock();
const worker = new QueryWorker({
  machine,
  service: serviceClock(machine),
  random: systemRandom(),
  log: silentLog(),
});
worker.open(CLUSTER_ID, { dir }, info);

for (let turn = 0; ; turn++) {
  for (let connectionId = 0; connectionId < 4; connectionId++) {
    const _id = turn * 4 + connectionId;
    worker.submit(
      {
        requestId: _id,
        clusterId: CLUSTER_ID,
        caller: { connectionId, remote: '', member: 'm0', user: admin },
        sections: sectionsOf({ insert: 'c', documents: [{ _id, pad: 'x'.repeat(_id % 500) }] }),
      },
      () => writeSync(1, `${_id}\n`),
    );
  }
  worker.runTurn();
}
