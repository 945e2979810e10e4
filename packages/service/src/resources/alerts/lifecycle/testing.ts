import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import type { Post } from '@portolan/foundation/outgoing/guarded-post';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { testClock } from '@portolan/foundation/testing';
import { system } from '../../../events/index.ts';
import type { Ending } from '../../../store/testing.ts';
import { startWorker } from '../../../tasks/index.ts';
import { openClusters } from '../../clusters/testing.ts';
import type { Services } from '../../services.ts';
import { ownEvents } from '../catalogue/own-events.ts';
import { addConfiguration } from '../configurations/changes.ts';
import type { AlertConfiguration } from '../configurations/schema.ts';
import { alertById } from '../model/rows.ts';
import { type Finding, reportFinding } from './changes.ts';
import { notifyOnce, notifyOnSchedule } from './tasks.ts';
import { NOTIFY } from './work.ts';

const MINUTE = 60_000;
const secrets = secretBox(Buffer.alloc(32, 1), systemRandom());

/** When a notification was delivered, in minutes since the start, to which receiver, and for what reason. */
export type Delivered = [minute: number, who: string, reason: string];

/** Opens a project and a receiver for its webhooks. The clock moves only when the test advances it. */
export async function open(t: Ending) {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const machine = testClock();
  const clock = serviceClock(machine);
  const begun = machine.now();
  const { store, groupId } = await openClusters(t, { file: join(folder, 'a.db') }, [], { clock, machine });
  const sent: Delivered[] = [];
  const minute = () => (machine.now() - begun) / MINUTE;
  let status = 200;
  const post = async ({ url, headers }: Post) => {
    const reason = String(headers['x-mms-event']).replace('alert.', '');
    sent.push([minute(), new URL(url).pathname.slice(1), reason]);
    return { status, text: '' };
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
  const kinds = [notifyOnSchedule, notifyOnce];
  const worker = await startWorker<Services>({ ...parts, store, services: services as Services, kinds });
  t.after(() => worker.stop());
  const finding = (holds: boolean, key: string): Finding => ({
    groupId,
    eventType: 'HOST_DOWN',
    target: {
      key,
      clusterId: undefined,
      fields: { HOSTNAME: 'harbour' },
      subject: { hostnameAndPort: 'harbour:1' },
    },
    evaluate: () => (holds ? { hostnameAndPort: 'harbour:1' } : 'ok'),
  });
  /** Returns the last alerts, oldest first. */
  const alerts = async (last = 500) => {
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
  };
  return {
    store,
    alerts,
    told: sent,
    worker,
    groupId,
    minute,
    /** Sets the HTTP status of the responses to webhooks. */
    answer(next: number) {
      status = next;
    },
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
    /** Reports a finding for each of the given targets. */
    report: (holds: boolean, ...targets: readonly string[]) =>
      store.write(async (tx) => {
        for (const key of targets.length > 0 ? targets : ['host'])
          await reportFinding(tx, finding(holds, key));
      }),
    /** Returns how far each scheduled repetition deviates from the alert's schedule, in milliseconds. */
    async drifts(intervalMin: number) {
      const rows = await store.read((tx) =>
        tx
          .from<{ task: { kind: string; run_at: number; payload: string } }>()
          .selectFrom('task')
          .select(['run_at', 'payload'])
          .where('kind', '=', NOTIFY.kind)
          .execute(),
      );
      const created = new Map(
        (await alerts(rows.length)).map((alert) => [alert.id, alert.created.getTime()]),
      );
      return rows.map(({ run_at, payload }) => {
        const since = run_at - (created.get(JSON.parse(payload).alertId) ?? Number.NaN);
        return since % (intervalMin * MINUTE);
      });
    },
  };
}

export const hook = (name: string, delayMin: number, intervalMin: number) =>
  ({ typeName: 'WEBHOOK', webhookUrl: `https://example.org/${name}`, delayMin, intervalMin }) as const;
