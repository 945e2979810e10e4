import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { expectStatus, until } from './expect.ts';
import { type MigrationHostProcess, startMigrationHost } from './migration-host.ts';
import {
  caOf,
  cutOver,
  digestsOf,
  fillSource,
  migrate,
  migrationBody,
  newLinkToken,
  newTarget,
  projectOf,
  reportedProject,
  type SourceCluster,
  sourceCluster,
  targetDriver,
  untilReady,
  Writer,
} from './migrations.ts';
import { portBlock } from './ports.ts';
import { end } from './processes.ts';
import { type Dice, dice } from './random.ts';
import type { Scope } from './service.ts';
import { openSetup, type Setup } from './setups.ts';

/** The processes that are killed during a migration and then restarted. */
export const victims = ['migration host', 'service', 'destination', 'source'] as const;
export type Victim = (typeof victims)[number];

/** The number of documents. Copying this many takes about a second. */
const CARGO = 10_000;
/** The latest time of a kill. Copying takes about a second. After that, changes are applied. */
const LONGEST_MS = 1_500;

/** Runs migrations from one service to another under load, and kills processes at random moments. */
export class KilledMigrations {
  readonly #scope: Scope;
  readonly #origin: Setup;
  readonly #setup: Setup;
  readonly #source: SourceCluster;
  readonly #token: string;
  readonly #dice: Dice;
  #host: MigrationHostProcess;
  #rounds = 0;

  private constructor(
    scope: Scope,
    setups: { origin: Setup; setup: Setup },
    source: SourceCluster,
    token: string,
    chance: Dice,
  ) {
    this.#scope = scope;
    this.#origin = setups.origin;
    this.#setup = setups.setup;
    this.#source = source;
    this.#token = token;
    this.#dice = chance;
    this.#host = this.#startHost();
  }

  static async begin(scope: Scope, seed: number): Promise<KilledMigrations> {
    // The service must keep its address, since the token contains it.
    const port = await portBlock();
    scope.after(() => port.release());
    const options = { expectedErrors: /./ };
    const origin = await openSetup(scope, 'SQLite, one instance', options);
    const settings = { listen: `127.0.0.1:${port.first + 1}` };
    const setup = await openSetup(scope, 'SQLite, one instance', { ...options, settings });
    const source = await sourceCluster(scope, origin, 'old');
    await fillSource(source.driver);
    const cargo = Array.from({ length: CARGO }, (_, _id) => ({ _id, text: 'x'.repeat(300) }));
    await source.driver.db('hold').collection<{ _id: number }>('cargo').insertMany(cargo);
    const token = await newLinkToken(setup);
    const all = new KilledMigrations(scope, { origin, setup }, source, token, dice(seed));
    await all.#host.ready();
    return all;
  }

  #startHost(): MigrationHostProcess {
    const more = [...caOf(this.#setup), '--organization', 'Old'];
    return startMigrationHost(this.#scope, this.#token, [`fleet=${this.#source.uri}`], more);
  }

  /**
   * Runs a migration and kills these processes one after another. Afterwards, source and destination must have equal
   * data.
   */
  async round(dying: readonly Victim[]): Promise<void> {
    const setup = this.#setup;
    const { projectId } = await reportedProject(setup);
    const target = await newTarget(setup, `new${++this.#rounds}`);
    const writer = new Writer(this.#scope, this.#source.driver, this.#dice);
    const path = await migrate(setup, target, migrationBody(target, { projectId, name: 'fleet' }));
    await until(
      'it works',
      async () => (await setup.owner.get(path)).json().status,
      (status) => status === 'WORKING',
    );
    for (const victim of dying) {
      await setTimeout(this.#dice.below(LONGEST_MS));
      await this.#kill(victim);
    }
    await untilReady(setup, path);
    await writer.stop();
    await cutOver(setup, path);
    const driver = await targetDriver(this.#scope, setup, target);
    assert.deepEqual(await digestsOf(driver), await digestsOf(this.#source.driver), dying.join());
    await driver.close();
    expectStatus(await setup.owner.delete(target), 202);
    expectStatus(await setup.owner.get(projectOf(target)), 200);
  }

  async #kill(victim: Victim): Promise<void> {
    const [instance] = this.#setup.instances;
    if (victim === 'migration host') {
      await this.#host.kill();
      this.#host = this.#startHost();
    } else if (victim === 'service') {
      await instance?.kill();
      await this.#setup.start();
    } else {
      const [of] = victim === 'source' ? this.#origin.instances : [instance];
      end(of?.hostPid() ?? 0);
    }
  }
}
