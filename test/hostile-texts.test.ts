import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectStatus } from './support/expect.ts';
import {
  commonSettings,
  runCommand,
  type Service,
  scopeOf,
  startService,
  temporaryFolder,
} from './support/service.ts';
import { own } from './support/setups.ts';
import { hostileRequests } from './support/torture/hostile-requests.ts';
import { expensive, hostileTexts } from './support/torture/texts.ts';

/**
 * These tests check the responses. A text that is evaluated, or matched with a pattern that backtracks, would delay the
 * response beyond the time limit of a request. `npm run bench -- texts` measures shorter delays.
 */

/** The number of texts for tests that start a process for each text. */
const FEW = 1;
/**
 * Statuses of requests that the service rejects before it parses the text in them, because of their headers, size or
 * caller.
 */
const unread: ReadonlySet<number> = new Set([401, 403, 405, 406, 408, 411, 413, 415, 429, 431]);
/**
 * Operations that the test must reach, since their bodies contain texts with a syntax of their own, such as filters,
 * patterns and distinguished names.
 */
const named = [
  ...['updateAuditingConfiguration', 'createAlertConfiguration', 'createPlatformSearchIndex'],
  ...['createCustomDatabaseRole', 'createPushMigration', 'validateMigration'],
  ...['createDatabaseUser', 'createDatabaseUserCertificate'],
];

own.onOneSetup('SQLite, one instance', 'hostile texts', (setup) => {
  const serviceOf = () => setup.instances[0] as Service;

  test('get a response in any part of a request', async () => {
    const wrong: string[] = [];
    const parsed = new Set<string>();
    let count = 0;
    const requests = hostileRequests(setup, ({ id }, { status, text }) => {
      if (status === 400) parsed.add(id);
      else wrong.push(`${id}: ${status} for malformed JSON, ${text.slice(0, 300)}`);
    });
    for await (const { text: sent, isProbed, send } of requests) {
      const { status, text } = await send();
      count++;
      // If a body names another organization, the request is rejected after the body is read.
      const isRead = !unread.has(status) || (status === 401 && isProbed);
      if (status >= 500 || !isRead) wrong.push(`${status} for ${sent}: ${text.slice(0, 300)}`);
    }
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
      const body = { enabled: true, auditFilter: JSON.stringify(filter) };
      const { status } = await setup.owner.patch(`${project}/auditLog`, body);
      assert.equal(status, 400, JSON.stringify(filter).slice(0, 100));
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
    expectStatus(await setup.operator.get('/operator/v1/states'), 200);
    const restored = await setup.operator.post('/operator/v1/states/hostile-0/restore', undefined);
    assert.ok(restored.status >= 400 && restored.status < 500, restored.text);
    assert.ok(serviceOf().isRunning());
  });
});

test('hostile texts in a seed are imported, and those in names and in a state to import are rejected', async (t) => {
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
