import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { system } from '../../../events/index.ts';
import { serviceClock } from '../../../runtime/clock.ts';
import { silentLog } from '../../../runtime/log.ts';
import type { Post } from '../../../runtime/outgoing/guarded-post.ts';
import { systemRandom } from '../../../runtime/random.ts';
import { secretBox } from '../../../runtime/secret-box.ts';
import { testClock } from '../../../runtime/testing.ts';
import { startWorker } from '../../../tasks/index.ts';
import { openClusters } from '../../clusters/testing.ts';
import type { Services } from '../../services.ts';
import { ownEvents } from '../catalogue/own-events.ts';
import { addConfiguration } from '../configurations/changes.ts';
import type { AlertConfiguration } from '../configurations/schema.ts';
import { type Finding, reportFinding } from './changes.ts';
import { alertById } from './rows.ts';
import { notifyInRhythm, tellOnce } from './tasks.ts';

const MINUTE = 60_000;
const secrets = secretBox(Buffer.alloc(32, 1), systemRandom());

/** Time in minutes since the beginning, the name of who was told, and why. */
export type Told = [minute: number, who: string, reason: string];

/** A project whose webhooks end here, and time that stands still until it is moved. */
export async function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const machine = testClock();
  const clock = serviceClock(machine);
  const begun = machine.now();
  const { store, groupId } = await openClusters(t, { file: join(folder, 'a.db') }, [], { clock, machine });
  const told: Told[] = [];
  const minute = () => (machine.now() - begun) / MINUTE;
  const post = async ({ url, headers }: Post) => {
    const reason = String(headers['x-mms-event']).replace('alert.', '');
    told.push([minute(), new URL(url).pathname.slice(1), reason]);
    return { status: 200, text: '' };
  };
  const parts = { clock, machine, random: systemRandom(), log: silentLog() };
  const services: Partial<Services> = {
    ...parts,
    store,
    secrets,
    outgoing: { post, bases: {} },
    publicUrl: 'https://127.0.0.1',
    eventTypes: ownEvents,
  };
  const kinds = [notifyInRhythm, tellOnce];
  const worker = await startWorker<Services>({ ...parts, store, services: services as Services, kinds });
  t.after(() => worker.stop());
  const finding = (holds: boolean): Finding => ({
    groupId,
    eventType: 'HOST_DOWN',
    target: {
      key: 'host',
      clusterId: undefined,
      fields: { HOSTNAME: 'harbour' },
      subject: { hostnameAndPort: 'harbour:1' },
    },
    judge: () => (holds ? { hostnameAndPort: 'harbour:1' } : 'well'),
  });
  return {
    store,
    told,
    worker,
    groupId,
    minute,
    async moveTo(at: number) {
      machine.sleep((at - minute()) * MINUTE);
      worker.wake();
      await worker.idle();
    },
    configure: (given: readonly AlertConfiguration['notifications'][number][]) =>
      store.write((tx) => {
        const body = { eventTypeName: 'HOST_DOWN', enabled: true, notifications: [...given] };
        return addConfiguration(tx, groupId, body, { actor: system, secrets, eventTypes: {} });
      }),
    report: (holds: boolean) => store.write((tx) => reportFinding(tx, finding(holds))),
    /** The last ones, the oldest of them first. */
    async alerts(last = 500) {
      const all = await store.read((tx) =>
        tx
          .from<{ alert: { id: string } }>()
          .selectFrom('alert')
          .select('id')
          .orderBy('id', 'desc')
          .limit(last)
          .execute(),
      );
      const rows = await store.read((tx) => Promise.all(all.map(({ id }) => alertById(tx, id))));
      return rows.reverse().filter((row) => row !== undefined);
    },
  };
}

export const hook = (name: string, delayMin: number, intervalMin: number) =>
  ({ typeName: 'WEBHOOK', webhookUrl: `https://example.org/${name}`, delayMin, intervalMin }) as const;
