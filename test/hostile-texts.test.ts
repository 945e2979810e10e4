import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DescribedOperation, describedIn } from './support/generated/document.ts';
import { Requests } from './support/generated/requests.ts';
import { documentsOf } from './support/generated/run.ts';
import { newStage, type Stage } from './support/generated/stage.ts';
import { mainThreadMs } from './support/main-thread.ts';
import { dice } from './support/random.ts';
import { onOneSetup } from './support/setups.ts';

/**
 * Texts that take long if the code evaluates them, matches them with a pattern that backtracks, or compares all of
 * their parts with each other. For 100,000 characters, quadratic work takes seconds.
 */
const LENGTH = 100_000;
const repeated = (part: string) => part.repeat(Math.ceil(LENGTH / part.length));
const expensive = { $expr: { $gt: [{ $size: { $range: [0, 20_000_000] } }, 5] } };
const hostile: readonly string[] = [
  ...['a', ' ', 'a.', 'a,', 'a@', '1.', '1:', '-', '/', '\\', 'CN=a,', 'CN=a+', '{{', '=\\'].map(
    (part) => `${repeated(part)}!`,
  ),
  JSON.stringify(expensive),
  JSON.stringify({ t: { $regex: `(${'a?'.repeat(64)})${'a'.repeat(64)}` } }),
  JSON.stringify({ $or: Array.from({ length: 10_000 }, (_, a) => ({ a })) }),
  `http://${repeated('a.')}`,
  `-----BEGIN CERTIFICATE-----\n${repeated('QUJD\n')}-----END CERTIFICATE-----`,
  `(${'a?'.repeat(64)})${'a'.repeat(64)}`,
];
/** Length of a text in a header. Encoded, and with the other headers, it stays below the limit of 16 KiB. */
const IN_HEAD = 6_000;
/** Time limit of a request. Handling one takes some 5 ms, and the first time up to 300 ms, since code is compiled. */
const MAX_MS = 1_000;
const BODIES = 3;
/** Skipped operations, which change what all other tests of the service see. */
const leftOut = /Clock|Fault|State/;

/** Copies of a value. In each copy, another one of its texts is replaced. */
function* replaced(value: unknown, next: () => string): Generator<unknown> {
  if (typeof value === 'string') yield next();
  else if (Array.isArray(value)) {
    for (const [i, entry] of value.entries())
      for (const other of replaced(entry, next)) yield value.with(i, other);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value))
      for (const other of replaced(entry, next)) yield { ...value, [name]: other };
  }
}

interface Sent {
  readonly target: string;
  readonly body: string | undefined;
}

function requestsOf(operation: DescribedOperation, { pools }: Stage, next: () => string): Sent[] {
  const requests = new Requests(dice(1), pools);
  const sent: Sent[] = [];
  const valid = requests.of(operation, 'valid');
  const body = valid.body?.toString();
  for (const { name, in: place } of operation.parameters) {
    const text = encodeURIComponent(next().slice(0, IN_HEAD / 3));
    const target =
      place === 'query'
        ? `${valid.target.split('?')[0]}?${name}=${text}`
        : requests.of(operation, 'valid').target.split('/').with(-1, text).join('/');
    sent.push({ target, body });
  }
  for (let i = 0; i < BODIES && operation.body !== undefined; i++) {
    const { target, body: made } = requests.of(operation, 'valid');
    for (const other of replaced(JSON.parse(String(made)), next))
      sent.push({ target, body: JSON.stringify(other) });
  }
  return sent;
}

onOneSetup('SQLite, one instance', 'hostile texts', (setup) => {
  test('occupy the main thread of the service briefly, wherever they are', async () => {
    const { newest } = await documentsOf(setup);
    const [service] = setup.instances;
    assert.ok(service);
    let turn = 0;
    const next = () => hostile[turn++ % hostile.length] as string;
    let stage = await newStage(setup);
    const slow: string[] = [];
    let count = 0;
    for (const operation of describedIn(newest)) {
      if (leftOut.test(operation.id)) continue;
      if (operation.method === 'DELETE') stage = await newStage(setup);
      const client = operation.template.startsWith('/operator') ? stage.operator : stage.client;
      for (const { target, body } of requestsOf(operation, stage, next)) {
        if (operation.method !== 'GET' && target.includes(stage.keyId)) continue;
        const before = mainThreadMs(service.pid);
        const { status } = await client.send(operation.method, target, body);
        const took = mainThreadMs(service.pid) - before;
        count++;
        if (took > MAX_MS || status >= 500)
          slow.push(
            `${operation.id}: ${status} after ${took} ms, ${target.slice(0, 200)} ${body?.slice(0, 500)}`,
          );
      }
    }
    assert.deepEqual(slow, []);
    assert.ok(count > 500, `${count} requests`);
    assert.ok(service.isRunning());
  });

  test('in audit filters are refused without being evaluated', async () => {
    const [service] = setup.instances;
    const project = `/groups/${setup.bootstrap.groupId}`;
    const nested = JSON.parse(`${'{"$and":[{"a":'.repeat(15)}1${'}]}'.repeat(15)}`);
    for (const filter of [expensive, { $and: [expensive] }, { atype: { $elemMatch: expensive } }, nested]) {
      const before = mainThreadMs(service?.pid ?? 0);
      const body = { enabled: true, auditFilter: JSON.stringify(filter) };
      const { status } = await setup.owner.patch(`${project}/auditLog`, body);
      assert.equal(status, 400, JSON.stringify(filter).slice(0, 100));
      assert.ok(mainThreadMs(service?.pid ?? 0) - before < MAX_MS);
    }
  });
});
