import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { endCrashPlan, hasCrashed, planCrash, withCrashes } from './support/crashes.ts';
import type { Reply } from './support/http.ts';
import { own, type Setup } from './support/setups.ts';
import { idle } from './support/stage.ts';
import { harbour, restore, save, states } from './support/states.ts';

const crashes = mkdtempSync(join(tmpdir(), 'portolan-crashes-'));
after(() => rmSync(crashes, { recursive: true, force: true }));

function killed(setup: Setup): void {
  test('the service has its previous or its restored state', async (t) => {
    const { cluster, driver } = await harbour(t, setup);
    const tides = driver.db('sea').collection<{ _id: number }>('tides');
    const folder = join(setup.instances[0]?.dataDirectory ?? '', 'states');
    await tides.insertOne({ _id: 1 });
    await save(setup, 'one');
    await tides.insertOne({ _id: 2 });

    /**
     * Kills the service as soon as this process notices a file with a matching name. Tries again if the service has
     * deleted the file before that.
     */
    async function killedWith(pattern: RegExp, ask: () => Promise<Reply>): Promise<void> {
      for (let killed = false; !killed; ) {
        const watcher = watch(folder, (_, name) => {
          if (killed || !pattern.test(name ?? '')) return;
          killed = true;
          process.kill(setup.instances[0]?.pid ?? 0, 'SIGKILL');
        });
        await ask().catch(() => {});
        watcher.close();
      }
      await setup.instances[0]?.kill();
      await setup.start();
    }
    const restoring = () => setup.operator.post(`${states}/one/restore`, undefined);
    const count = async () => {
      await idle(setup.owner, cluster);
      return tides.countDocuments();
    };
    const leftovers = () =>
      readdirSync(folder)
        .filter((name) => name !== '.first')
        .toSorted();

    await killedWith(/^\.saving-/, () => setup.operator.post(states, { name: 'other' }));
    assert.equal(await count(), 2);
    assert.deepEqual(leftovers().slice(0, 1), ['one']);
    // If the service is killed while it stages the state, nothing has changed yet.
    planCrash(crashes, { role: 'service', before: 'copyFile cluster.db' });
    await restoring().catch(() => {});
    assert.ok(hasCrashed(crashes), `${endCrashPlan(crashes)}`);
    await setup.instances[0]?.ended;
    await setup.start();
    assert.equal(await count(), 2);
    // If the service is killed after the exchange has begun, the next start completes the exchange.
    await killedWith(/^exchange\.json$/, restoring);
    assert.equal(await count(), 1);
    await tides.insertOne({ _id: 3 });
    await restore(setup, 'one');
    assert.equal(await count(), 1);
    assert.deepEqual(
      leftovers().filter((name) => /^\.|json/.test(name)),
      [],
    );
  });
}

own.onOneSetup('SQLite, one instance', 'killed while a state is saved or restored', killed, {
  environment: withCrashes(crashes),
});
