import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import Type from 'typebox';
import { Tag } from './fields.ts';
import { GROUP, operation, testApi } from './testing.ts';

/*
 * These tests run a service in a separate process with the smallest possible heap. The process counts the
 * turns of its event loop, in which it can serve other requests, and records the turn of each call of the
 * handler. `npm run bench -- pauses` measures how long other requests wait.
 */

const HEAP_MB = 64;
/**
 * Minimum number of turns of the event loop between the handling of two large bodies. The service yields between
 * decoding, parsing and validating.
 */
const TURNS_OF_A_BODY = 2;
const MEGABYTE = 1024 * 1024;
const BODY_BYTES = 5 * MEGABYTE;
const path = `/api/service/v2/groups/${GROUP}/cargo`;

let turns = 0;
const handledIn: number[] = [];

const load = operation({
  id: 'load',
  summary: 'Takes cargo.',
  tag: 'Ships',
  method: 'POST',
  path: '/groups/{groupId}/cargo',
  access: 'Project Owner',
  body: Type.Object({
    crates: Type.Optional(Type.Array(Type.Object({ label: Type.String() }), { maxItems: 5000 })),
    notes: Type.Optional(Type.Array(Type.String(), { maxItems: 5000 })),
    tags: Type.Optional(Type.Array(Tag, { maxItems: 50 })),
  }),
  reply: Type.Object({ crates: Type.Integer(), notes: Type.Integer() }),
  status: 200,
  handler: async ({ body: { crates = [], notes = [] } }) => {
    handledIn.push(turns);
    return { crates: crates.length, notes: notes.length };
  },
});

async function serve(t: TestContext): Promise<void> {
  const { app } = await testApi(t, [load]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const turn = () => {
    turns++;
    setImmediate(turn);
  };
  turn();
  process.on('message', () => process.send?.(handledIn));
  process.send?.((app.server.address() as AddressInfo).port);
  await once(process, 'disconnect');
  process.exit(0);
}

async function started(t: TestContext) {
  const child = fork(import.meta.filename, {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    env: { ...process.env, NODE_TEST_CONTEXT: '', SERVES_LARGE_BODIES: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.after(() => child.kill());
  const [port] = await once(child, 'message');
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    send: (body: string) => post(agent, port, body),
    /** Returns the turns of the event loop in which the handler was called. */
    async handledIn(): Promise<readonly number[]> {
      child.send('turns');
      const [handled] = await once(child, 'message');
      return handled;
    },
  };
}

function post(agent: Agent, port: number, body: string): Promise<{ status: number; document: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; document: unknown }>();
  const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
  const sent = request({ agent, port, path, method: 'POST', headers }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => {
      text += String(chunk);
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, document: JSON.parse(text) }));
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

const list = (length: number, item: (index: number) => string) =>
  Array.from({ length }, (_, at) => item(at)).join();

/** Bodies of five megabytes that exceed a limit. */
const attacks = {
  'empty objects': `[${'{},'.repeat(BODY_BYTES / 3 - 2)}{}]`,
  numbers: `{"notes":[${'1,'.repeat(BODY_BYTES / 2 - 20)}1]}`,
  names: `{${list(400_000, (at) => `"${at}":1`)}}`,
  'lists in lists': '['.repeat(BODY_BYTES / 2) + ']'.repeat(BODY_BYTES / 2),
  'a repeated name': `{"a":${' '.repeat(BODY_BYTES - 100)}1,"a":2}`,
  'one long text': `{"notes":["${'\\n'.repeat(BODY_BYTES / 2 - 20)}"]}`,
  'invalid JSON': `{"notes":["${'\\n'.repeat(BODY_BYTES / 2 - 20)}"]`,
} as const;

/** Bodies of five megabytes that comply with the limits. */
const within = {
  'long texts': [{ crates: 0, notes: 40 }, `{"notes":[${list(40, () => `"${'é'.repeat(65_000)}"`)}]}`],
  escapes: [{ crates: 0, notes: 40 }, `{"notes":[${list(40, () => `"${'\\n'.repeat(65_000)}"`)}]}`],
  objects: [
    { crates: 4990, notes: 0 },
    `{"crates":[${list(4990, () => `{"label":"${'x'.repeat(1030)}"}`)}]}`,
  ],
} as const;

const { SERVES_LARGE_BODIES: serves } = process.env;

if (serves) test('serve', serve);
else {
  test('bodies over the limits are rejected, even many at once', async (t) => {
    const service = await started(t);
    for (const [what, body] of Object.entries(attacks)) {
      const { status, document } = await service.send(body);
      assert.equal(status, 400, `${what}: ${JSON.stringify(document)}`);
    }
    const all = Object.values(attacks).flatMap((body) => [body, body]);
    const answers = await Promise.all(all.map((body) => service.send(body)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([400]));
    assert.deepEqual(await service.handledIn(), []);
    assert.ok(service.isRunning());
  });

  test('the largest accepted bodies are processed in several turns each, even many at once', async (t) => {
    const service = await started(t);
    const all = Object.values(within).flatMap((each) => Array.from({ length: 4 }, () => each));
    const answers = await Promise.all(all.map(([, body]) => service.send(body)));
    assert.deepEqual(
      answers,
      all.map(([document]) => ({ status: 200, document })),
    );
    const handled = await service.handledIn();
    assert.equal(handled.length, all.length);
    for (const [index, turn] of handled.entries()) {
      const before = handled[index - 1] ?? 0;
      assert.ok(turn - before >= TURNS_OF_A_BODY, `turns of the handler: ${handled}`);
    }
    assert.ok(service.isRunning());
  });
}
