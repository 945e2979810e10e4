import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client } from './support/client.ts';
import { expectStatus } from './support/expect.ts';
import { type DescribedOperation, describedIn } from './support/generated/document.ts';
import { Requests } from './support/generated/requests.ts';
import { documentsOf } from './support/generated/run.ts';
import { newStage, type Stage } from './support/generated/stage.ts';
import { mainThreadMs } from './support/main-thread.ts';
import { dice } from './support/random.ts';
import {
  commonSettings,
  runCommand,
  type Service,
  scopeOf,
  startService,
  temporaryFolder,
} from './support/service.ts';
import { onOneSetup } from './support/setups.ts';
import { clusterBody } from './support/stage.ts';
import { expensive, hostileTexts } from './support/torture/texts.ts';

/** Maximum length of an encoded text in a path or query. With it, the head stays below the limit of 16 KiB. */
const IN_HEAD = 6_000;
/** Handling a request takes some 5 ms. The first time, compiling the code takes up to 300 ms. */
const MAX_MS = 1_000;
const BODIES = 3;
/** Maximum CPU time of a start, which usually takes 1.5 s. */
const MAX_START_MS = 10_000;
/** The number of texts for tests that start a process for each text. */
const FEW = 1;
/** These operations change what all other tests of the service see. */
const leftOut = /Clock|Fault|State/;
/** Statuses of requests that are rejected because of their head, so that the text in them is not parsed. */
const unread: ReadonlySet<number> = new Set([401, 403, 405, 406, 408, 411, 413, 415, 429, 431]);
/** Operations whose bodies contain something that an engine evaluates later, or a text in another language. */
const named = [
  ...['updateAuditingConfiguration', 'createAlertConfiguration', 'createPlatformSearchIndex'],
  ...['createCustomDatabaseRole', 'createPushMigration', 'validateMigration'],
  ...['createDatabaseUser', 'createDatabaseUserCertificate'],
];

let turn = 0;
const next = () => hostileTexts[turn++ % hostileTexts.length] as string;

/** The beginning of a hostile text, percent-encoded. */
function inHead(): string {
  const text = next();
  let length = Math.min(text.length, IN_HEAD);
  while (encodeURIComponent(text.slice(0, length)).length > IN_HEAD) length = Math.floor(length / 2);
  return encodeURIComponent(text.slice(0, length));
}

/** Yields copies of a value. In each copy, one of its texts is replaced by a hostile one. */
function* replaced(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield next();
  else if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) for (const other of replaced(entry)) yield value.with(i, other);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value))
      for (const other of replaced(entry)) yield { ...value, [name]: other };
  }
}

/** Returns the targets of requests. In each, the value of one parameter of the path or the query is a hostile text. */
function targetsOf(operation: DescribedOperation, requests: Requests): string[] {
  return operation.parameters.map(({ name, in: place }) => {
    const path = requests.of(operation, 'valid').target.split('?')[0] ?? '';
    if (place === 'query') return `${path}?${name}=${inHead()}`;
    const parts = operation.template.split('/');
    const given = path.split('/');
    const at = parts.findIndex((part) => part.includes(`{${name}}`));
    const hostile = (parts[at] ?? '').replace(`{${name}}`, inHead);
    return given.with(given.length - parts.length + at, hostile).join('/');
  });
}

/** A stage whose project has a cluster, since operations on parts of a cluster need one. */
async function stageWithCluster(setup: Parameters<typeof newStage>[0]): Promise<Stage> {
  const stage = await newStage(setup);
  const group = stage.pools.text('groupId', dice(1));
  const made = await stage.client.post(`/groups/${group}/clusters`, clusterBody('quay'));
  stage.pools.add('clusterName', String(expectStatus<{ name: string }>(made, 201).name));
  return stage;
}

onOneSetup('SQLite, one instance', 'hostile texts', (setup) => {
  const serviceOf = () => setup.instances[0] as Service;
  const slow: string[] = [];
  const wrong: string[] = [];
  let count = 0;

  async function send(
    client: Client,
    operation: DescribedOperation,
    target: string,
    body?: string,
    probed = false,
  ) {
    const before = mainThreadMs(serviceOf().pid);
    const reply = await client.send(operation.method, target, body);
    const took = mainThreadMs(serviceOf().pid) - before;
    count++;
    const sent = `${operation.id}: ${reply.status} after ${took} ms, ${target.slice(0, 200)} ${body?.slice(0, 500)}`;
    if (took > MAX_MS || reply.status >= 500) slow.push(sent);
    // If a body names another organization, the request is rejected after the body is read.
    if (unread.has(reply.status) && !(reply.status === 401 && probed))
      wrong.push(`${sent} ${reply.text.slice(0, 300)}`);
    return reply;
  }

  test('occupy the main thread of the service only briefly, in any part of a request', async () => {
    const { newest } = await documentsOf(setup);
    let stage = await stageWithCluster(setup);
    const parsed = new Set<string>();
    for (const operation of describedIn(newest)) {
      if (leftOut.test(operation.id)) continue;
      if (operation.method === 'DELETE') stage = await stageWithCluster(setup);
      const { client: own, operator, keyId, pools } = stage;
      const client = operation.template.startsWith('/operator') ? operator : own;
      const requests = new Requests(dice(1), pools);
      const valid = requests.of(operation, 'valid');
      for (const target of targetsOf(operation, requests))
        if (operation.method === 'GET' || !target.includes(keyId))
          await send(client, operation, target, valid.body?.toString());
      if (operation.body === undefined) continue;
      const [path = ''] = valid.target.split('?');
      const probe = await client.send(operation.method, path, '{');
      if (probe.status === 400) parsed.add(operation.id);
      else wrong.push(`${operation.id}: ${probe.status} for malformed JSON, ${probe.text.slice(0, 300)}`);
      for (let i = 0; i < BODIES; i++) {
        const made = JSON.parse(String(requests.of(operation, 'valid').body));
        for (const other of replaced(made))
          await send(client, operation, path, JSON.stringify(other), probe.status === 400);
      }
    }
    assert.deepEqual(slow, []);
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      named.filter((id) => !parsed.has(id)),
      [],
    );
    assert.ok(count > 500, `${count} requests`);
    assert.ok(serviceOf().isRunning());
  });

  test('in audit filters are refused without being evaluated', async () => {
    const project = `/groups/${setup.bootstrap.groupId}`;
    const nested = JSON.parse(`${'{"$and":[{"a":'.repeat(15)}1${'}]}'.repeat(15)}`);
    for (const filter of [expensive, { $and: [expensive] }, { atype: { $elemMatch: expensive } }, nested]) {
      const before = mainThreadMs(serviceOf().pid);
      const body = { enabled: true, auditFilter: JSON.stringify(filter) };
      const { status } = await setup.owner.patch(`${project}/auditLog`, body);
      assert.equal(status, 400, JSON.stringify(filter).slice(0, 100));
      assert.ok(mainThreadMs(serviceOf().pid) - before < MAX_MS);
    }
  });

  test('in saved states are refused when they are read', async () => {
    const states = join(serviceOf().dataDirectory, 'states');
    for (const [i, text] of [...hostileTexts, '['.repeat(1_000_000)].entries()) {
      const folder = join(states, `hostile-${i}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'state.json'),
        i % 2 === 0 ? text : JSON.stringify({ format: 1, saved: text }),
      );
    }
    const before = mainThreadMs(serviceOf().pid);
    expectStatus(await setup.operator.get('/operator/v1/states'), 200);
    const restored = await setup.operator.post('/operator/v1/states/hostile-0/restore', undefined);
    assert.ok(restored.status >= 400 && restored.status < 500, restored.text);
    assert.ok(mainThreadMs(serviceOf().pid) - before < MAX_MS);
    assert.ok(serviceOf().isRunning());
  });
});

test('hostile texts in a seed and in a state to import take no longer than others', async (t) => {
  const scope = scopeOf(t);
  const folder = await temporaryFolder(scope);
  const data = [
    { database: 'harbour', collection: 'texts', documents: hostileTexts.map((text, _id) => ({ _id, text })) },
  ];
  const seed = join(folder, 'seed.json');
  writeFileSync(
    seed,
    JSON.stringify({ projects: [{ name: 'Harbour', clusters: [{ name: 'quay', data }] }] }),
  );
  const settings = { ...(await commonSettings(scope)), 'plain-http': true, seed };
  const service = await startService(scope, join(folder, 'data'), settings);
  assert.ok(mainThreadMs(service.pid) < MAX_START_MS);
  await service.stop();
  const file = join(folder, 'state');
  for (const text of hostileTexts.slice(-FEW)) {
    writeFileSync(seed, JSON.stringify({ projects: [{ name: text }] }));
    writeFileSync(file, text);
    const rejected = await runCommand('start', { ...settings, 'data-dir': join(folder, 'data') });
    assert.equal(rejected.code, 1, rejected.err.slice(0, 500));
    const unread = await runCommand(`state import ${file} kept`, { 'data-dir': join(folder, 'data') });
    assert.match(unread.err, /cannot be read as a state/);
  }
});
