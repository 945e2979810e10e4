import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '@portolan/foundation/command-line';
import { silentLog } from '@portolan/foundation/log';
import type { Service } from '@portolan/service/service';
import { SeedRuns } from './runs.ts';

const PASSWORD = 'a compass and a chart';
const VALUE = 'the stored name of a ship';
const PLACE = 'projects[0].clusters[0].data[0].documents[0]';
const SHOWN = `${PLACE}: the database rejected the data with the error code 11000`;

const seed = {
  projects: [
    {
      name: 'harbour',
      databaseUsers: [{ username: 'sailor', password: PASSWORD }],
      clusters: [
        { name: 'quay', data: [{ database: 'a', collection: 'ships', documents: [{ name: VALUE }] }] },
      ],
    },
  ],
};

/** Creates a service in which all resources exist, and whose database replies to each command with `reply`. */
function serviceWith(reply: object): Service {
  const parts = {
    bootstrap: { orgId: 'org' },
    call: async () => ({ status: 200, body: { id: 'id', stateName: 'IDLE', results: [] } }),
    run: async () => reply,
  };
  return parts as unknown as Service;
}

const rejecting = () => {
  const errmsg = `E11000 duplicate key error dup key: { name: "${VALUE}" }`;
  return serviceWith({ ok: 1, writeErrors: [{ index: 0, code: 11_000, errmsg }] });
};

test('keeps an applied seed without its passwords and documents', async () => {
  const runs = new SeedRuns();
  await runs.apply(serviceWith({ ok: 1, upserted: [{}] }), seed, undefined);
  const { status, seed: kept } = runs.last() ?? {};
  assert.equal(status, 'APPLIED');
  const text = JSON.stringify(kept);
  assert.ok(text.includes('sailor') && !text.includes(PASSWORD) && !text.includes(VALUE), text);
});

test('logs why the seed of a request failed, without values that the database quotes', async () => {
  const runs = new SeedRuns();
  runs.serve(rejecting());
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const warn = (fields: object, message: string) => resolve({ ...fields, message });
  const begun = await runs.begin(seed, { ...silentLog(), warn });
  assert.equal(begun?.status, 'APPLYING');
  assert.deepEqual(await promise, { reason: SHOWN, message: 'a seed could not be applied' });
  assert.equal(runs.last()?.problem, SHOWN);
});

test('tells the caller of a start the full reason', async () => {
  const runs = new SeedRuns();
  const applied = runs.apply(rejecting(), seed, undefined);
  await assert.rejects(applied, (error) => error instanceof ConfigError && error.message.includes(VALUE));
  assert.equal(runs.last()?.problem, SHOWN);
});
