import { readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { sendRequest } from '../packages/foundation/src/http-call.ts';
import { createIdle } from './clusters.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { driverAuth, letDriversIn, milliseconds, withService } from './support.ts';

const ROUNDS = 7;
const DOCUMENTS = 1_000;

/**
 * How long it takes to save and restore a small service with one cluster and a connected driver. For the restore, also
 * how long it takes until the driver can read again.
 */
export const states: Part = {
  name: 'states',
  measure: () =>
    withService(async ({ bootstrap }, client): Promise<Figure[]> => {
      const project = `/groups/${bootstrap.groupId}`;
      await letDriversIn(client, project);
      const url = await createIdle(client, `${project}/clusters`, 'kept');
      const driver = await new MongoClient(url, { auth: driverAuth }).connect();
      const kept = driver.db('bench').collection<{ _id: number; text: string }>('kept');
      await kept.insertMany(Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, text: 'x'.repeat(100) })));
      const post = operatorOf(bootstrap);
      const times = {
        save: [] as number[],
        restore: [] as number[],
        read: [] as number[],
        reset: [] as number[],
      };
      for (let round = 0; round < ROUNDS; round++) {
        times.save.push(await timed(() => post('/states', { name: 'kept' })));
        await kept.deleteMany({});
        const start = performance.now();
        times.restore.push(await timed(() => post('/states/kept/restore')));
        if ((await kept.countDocuments()) !== DOCUMENTS) throw new Error('not what was saved');
        times.read.push(milliseconds(start));
      }
      await driver.close();
      for (let round = 0; round < ROUNDS; round++) times.reset.push(await timed(() => post('/reset')));
      const figureOf = (name: string, values: readonly number[]) => ({
        name,
        value: median(values),
        unit: 'ms',
      });
      const figure = (name: string, values: readonly number[]): Figure => ({
        ...figureOf(name, values),
        target: atMost(1000),
      });
      return [
        figure('save the state of a service with one cluster', times.save),
        figure('restore the state of a service with one cluster', times.restore),
        // This figure includes half a second for which a driver waits after a rejected connection.
        figureOf('restore the state of a service until a connected driver has read', times.read),
        figure('reset a service with one cluster', times.reset),
      ];
    }),
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return milliseconds(start);
}

interface Bootstrap {
  readonly url: string;
  readonly operatorToken: string;
  readonly caCertificate?: string;
}

/** Sends POST requests to the operator's paths; throws for an unsuccessful response. */
export function operatorOf({ url, operatorToken, caCertificate }: Bootstrap) {
  const authority = caCertificate === undefined ? undefined : readFileSync(caCertificate, 'utf8');
  return async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
    const call = { method: 'POST', headers, authority, body: body && JSON.stringify(body) };
    const { status, text } = await sendRequest(new URL(`/operator/v1${path}`, url), call);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  };
}
