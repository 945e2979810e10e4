import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { sql } from 'kysely';
import type { Migration } from './store.ts';
import { openTestStore } from './testing.ts';

const migrations: readonly Migration[] = [
  {
    number: 900,
    name: 'pairs',
    up: (schema) => schema.run('CREATE TABLE pair (id {text} PRIMARY KEY, half {int64} NOT NULL) {strict}'),
  },
];

/** Returns the text of a program. In the program, eight callers write pairs of rows and print each committed pair. */
const program = (database: DatabaseLocation) => `
  import { sql } from ${JSON.stringify(import.meta.resolve('kysely'))};
  import { machineClock, serviceClock } from '@portolan/foundation/clock';
  import { ids } from '@portolan/foundation/ids';
  import { silentLog } from '@portolan/foundation/log';
  import { systemRandom } from '@portolan/foundation/random';
  import { openStore } from './open.ts';
  const [machine, random] = [machineClock(), systemRandom()];
  const parts = { machine, random, clock: serviceClock(machine), ids: ids(machine.now, random), log: silentLog() };
  const pairs = { number: 900, name: 'pairs', up: async () => {} };
  const store = await openStore({ ...parts, database: ${JSON.stringify(database)}, migrations: [pairs] });
  const caller = async (name) => {
    for (let n = 0; ; n++) {
      const id = name + n;
      await store.write(async (tx) => {
        await sql\`insert into pair values (\${id + 'a'}, 1)\`.execute(tx.from());
        await sql\`insert into pair values (\${id + 'b'}, 2)\`.execute(tx.from());
      });
      process.stdout.write(id + '\\n');
    }
  };
  for (const name of 'pqrstuvw') caller(name);`;

/** Kills the process after it has printed some pairs. Returns all pairs that it has printed. */
async function killedAfter(t: TestContext, database: DatabaseLocation, writes: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(database)], {
    // Node.js resolves the imports of the script relative to this folder.
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const acknowledged: string[] = [];
  createInterface({ input: child.stdout }).on('line', (id) => {
    acknowledged.push(id);
    if (acknowledged.length === writes) child.kill('SIGKILL');
  });
  await closed;
  assert.ok(acknowledged.length >= writes);
  return acknowledged;
}

onEachDatabase(
  'killing a process during commits loses no acknowledged write and leaves none half done',
  async (t, database) => {
    await (await openTestStore(t, database, { migrations })).close();
    for (const writes of [3, 150]) {
      const acknowledged = await killedAfter(t, database, writes);
      const store = await openTestStore(t, database, { migrations });
      const { rows } = await store.read((tx) => sql<{ id: string }>`select id from pair`.execute(tx.from()));
      const kept = new Set(rows.map(({ id }) => id));
      assert.deepEqual(
        acknowledged.filter((id) => !kept.has(`${id}a`) || !kept.has(`${id}b`)),
        [],
      );
      const halves = [...kept].filter((id) => !kept.has(id.slice(0, -1) + (id.endsWith('a') ? 'b' : 'a')));
      assert.deepEqual(halves, []);
      await store.write((tx) => sql`delete from pair`.execute(tx.from()));
      await store.close();
    }
  },
);
