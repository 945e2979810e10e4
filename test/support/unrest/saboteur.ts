import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { endPlan, planDeath, type Role } from '../deaths.ts';
import { until } from '../expect.ts';
import { MARK } from '../full-disks.ts';
import type { Reply } from '../http.ts';
import { type CallPlan, mishaps, type PostgresProxy } from '../postgres-proxy.ts';
import { end, isAlive } from '../processes.ts';
import type { Dice } from '../random.ts';
import type { Setup } from '../setups.ts';

/** What goes wrong, one thing after another. */

const both = [
  'a service is killed',
  'an engine host is killed',
  'connections to callers break',
  'answers are lost',
  'the disk of a cluster is full',
  'a step of an engine host fails',
  'an engine host dies at a step',
] as const;
const onSqlite = [
  'the disk of the service is full',
  'a step of a service fails',
  'a service dies at a step',
] as const;
const onPostgres = [
  'connections to the database break',
  'the database is restarted',
  'a call to the database goes wrong',
  'a COMMIT goes wrong',
] as const;

type Trouble = (typeof both)[number] | (typeof onSqlite)[number] | (typeof onPostgres)[number];

export interface SaboteurOptions {
  readonly setup: Setup;
  readonly chance: Dice;
  /** Where plans of deaths lie (`deaths.ts`). */
  readonly folder: string;
  /** Present where the instances share a PostgreSQL server of their own. */
  readonly database?: { restart(): Promise<void>; readonly proxy: PostgresProxy };
}

/** Until something has happened; it may never happen. */
const PATIENCE_MS = 2000;
/** Until what was killed is back; seconds where nothing else is done. */
const RESTART_MS = 60_000;
const STEP_MS = 20;
const MOST_STEPS = 25;
/** A transaction is some ten calls. */
const MOST_CALLS = { all: 200, commits: 20 };

export class Saboteur {
  /** What has gone wrong, in words. */
  readonly done: string[] = [];
  readonly #options: SaboteurOptions;

  constructor(options: SaboteurOptions) {
    this.#options = options;
  }

  /** Makes trouble, lets it last as `lasting` says, and sets right what does not do so by itself. */
  async trouble(lasting: () => Promise<void>): Promise<void> {
    const { chance, database } = this.#options;
    const all: readonly Trouble[] = [...both, ...(database === undefined ? onSqlite : onPostgres)];
    const chosen = all[chance.below(all.length)] as Trouble;
    this.done.push(chosen);
    const undo = await this.#begin(chosen);
    await lasting();
    await undo();
    await this.#restart();
  }

  async #begin(trouble: Trouble): Promise<() => Promise<unknown>> {
    const { setup, chance } = this.#options;
    const index = chance.below(setup.instances.length);
    const instance = setup.instances[index];
    const nothing = async () => {};
    if (instance === undefined) return nothing;
    switch (trouble) {
      case 'a service is killed':
        await instance.kill();
        return nothing;
      case 'an engine host is killed':
        end(instance.hostPid());
        return nothing;
      case 'connections to callers break':
        setup.connections[index]?.close();
        return nothing;
      case 'answers are lost':
        return this.#loseAnswers();
      case 'the disk of a cluster is full':
        return this.#fill(join(instance.dataDirectory, 'engine/clusters'));
      case 'the disk of the service is full':
        return mark(instance.dataDirectory);
      case 'a step of an engine host fails':
        return this.#plan('host', 'fails');
      case 'a step of a service fails':
        return this.#plan('service', 'fails');
      case 'an engine host dies at a step':
        return this.#plan('host', 'dies');
      case 'a service dies at a step':
        return this.#plan('service', 'dies');
      case 'connections to the database break':
        await breakDatabaseConnections(String(setup.settings.database));
        return nothing;
      case 'the database is restarted':
        await this.#options.database?.restart();
        return nothing;
      case 'a call to the database goes wrong':
        return this.#missCall('all');
      case 'a COMMIT goes wrong':
        return this.#missCall('commits');
    }
  }

  #missCall(of: CallPlan['of']): () => Promise<unknown> {
    const { chance, database } = this.#options;
    const mishap = mishaps[chance.below(mishaps.length)] ?? 'before';
    const at = 1 + chance.below(MOST_CALLS[of]);
    database?.proxy.plan({ at, of, mishap });
    const index = this.done.length - 1;
    return async () => {
      const when = database?.proxy.endPlan() ? at : 'not';
      this.done[index] = `${this.done[index]} (${mishap}, ${when})`;
    };
  }

  /** One of ten answers never comes, although everything is done. */
  async #loseAnswers(): Promise<() => Promise<unknown>> {
    const { setup, chance } = this.#options;
    const faults = '/operator/v1/faults';
    const request = { operations: ['*'], disconnect: 'AFTER' };
    const rule = { probability: 0.1, seed: chance.below(2 ** 32), request };
    // Connections may still be those to an instance that is gone.
    const asked = (send: () => Promise<Reply>, status: number) =>
      until(
        `${status} of ${faults}`,
        () => send().catch(() => undefined),
        (reply) => reply?.status === status,
        RESTART_MS,
      );
    await asked(() => setup.operator.post(faults, rule), 201);
    return () => asked(() => setup.operator.delete(faults), 204);
  }

  async #fill(clusters: string): Promise<() => Promise<unknown>> {
    const directories = existsSync(clusters) ? readdirSync(clusters) : [];
    const chosen = directories[this.#options.chance.below(directories.length)];
    return chosen === undefined ? async () => {} : mark(join(clusters, chosen));
  }

  async #plan(role: Role, end: 'dies' | 'fails'): Promise<() => Promise<unknown>> {
    const { chance, folder } = this.#options;
    const at = 1 + chance.below(MOST_STEPS);
    const fails = end === 'fails' ? { fails: (['EIO', 'ENOSPC'] as const)[chance.below(2)] ?? 'EIO' } : {};
    planDeath(folder, { role, at, ...fails });
    return async () => endPlan(folder);
  }

  async #restart(): Promise<void> {
    const { setup } = this.#options;
    // Who dies at a step may just be doing so.
    for (const instance of setup.instances) if (!isAlive(instance.pid)) await instance.ended;
    await setup.start();
    await until(
      'an engine host of each instance',
      async () => setup.instances.every((instance) => isAlive(instance.hostPid())),
      (alive) => alive,
      RESTART_MS,
    );
  }
}

function mark(folder: string): Promise<() => Promise<unknown>> {
  const file = join(folder, MARK);
  return writeFile(file, '').then(
    () => () => rm(file, { force: true }),
    // Removed meanwhile.
    () => async () => {},
  );
}

async function breakDatabaseConnections(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const others = 'datname = current_database() AND pid <> pg_backend_pid()';
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
  await client.end();
}

/** Until so much has happened, or nothing does any more. */
export async function whileItLasts(happened: () => number, enough: number): Promise<void> {
  const begun = performance.now();
  const before = happened();
  while (happened() - before < enough && performance.now() - begun < PATIENCE_MS) await setTimeout(STEP_MS);
}
