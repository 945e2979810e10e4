import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { endCrashPlan, planCrash, type Role } from '../crashes.ts';
import { until } from '../expect.ts';
import { MARK } from '../full-disks.ts';
import type { Reply } from '../http.ts';
import { type CallPlan, failures, type PostgresProxy } from '../postgres-proxy.ts';
import { end, isAlive } from '../processes.ts';
import type { Dice } from '../random.ts';
import type { Setup } from '../setups.ts';

const onBoth = [
  'a service is killed',
  'an engine host is killed',
  'connections to callers break',
  'responses are lost',
  'the disk of a cluster is full',
  'a step of an engine host fails',
  'an engine host crashes at a step',
] as const;
const onSqlite = [
  'the disk of the service is full',
  'a step of a service fails',
  'a service crashes at a step',
] as const;
const onPostgres = [
  'connections to the database break',
  'the database is restarted',
  'a call to the database fails',
  'a COMMIT fails',
] as const;

type Fault = (typeof onBoth)[number] | (typeof onSqlite)[number] | (typeof onPostgres)[number];

export interface FaultInjectorOptions {
  readonly setup: Setup;
  readonly chance: Dice;
  /** The folder for crash plans (see `crashes.ts`). */
  readonly folder: string;
  /** The PostgreSQL server and its proxy. Defined only if no other test uses the server. */
  readonly database?: { restart(): Promise<void>; readonly proxy: PostgresProxy };
}

/** How long to wait for progress, which may never come. */
const PROGRESS_MS = 2000;
/** Time limit for restarts, which take seconds on a quiet machine. */
const RESTART_MS = 360_000;
const STEP_MS = 20;
const MAX_STEP = 25;
/** A planned fault occurs at the Nth call or commit from now on; this is the largest N. A transaction has about ten calls. */
const MAX_CALL = { all: 200, commits: 20 };

/** Causes faults one after another. */
export class FaultInjector {
  /** The faults so far, described in words. */
  readonly injected: string[] = [];
  readonly #options: FaultInjectorOptions;

  constructor(options: FaultInjectorOptions) {
    this.#options = options;
  }

  /** Causes a random fault and waits for `duration`. Then ends the fault, and restarts what it has killed. */
  async inject(duration: () => Promise<void>): Promise<void> {
    const { chance, database } = this.#options;
    const all: readonly Fault[] = [...onBoth, ...(database === undefined ? onSqlite : onPostgres)];
    const chosen = all[chance.below(all.length)] as Fault;
    this.injected.push(chosen);
    const undo = await this.#begin(chosen);
    await duration();
    await undo();
    await this.#restart();
  }

  async #begin(fault: Fault): Promise<() => Promise<unknown>> {
    const { setup, chance } = this.#options;
    const index = chance.below(setup.instances.length);
    const instance = setup.instances[index];
    const nothing = async () => {};
    if (instance === undefined) return nothing;
    switch (fault) {
      case 'a service is killed':
        await instance.kill();
        return nothing;
      case 'an engine host is killed':
        end(instance.hostPid());
        return nothing;
      case 'connections to callers break':
        setup.connections[index]?.close();
        return nothing;
      case 'responses are lost':
        return this.#loseResponses();
      case 'the disk of a cluster is full':
        return this.#fill(join(instance.dataDirectory, 'engine/clusters'));
      case 'the disk of the service is full':
        return mark(instance.dataDirectory);
      case 'a step of an engine host fails':
        return this.#plan('host', 'fails');
      case 'a step of a service fails':
        return this.#plan('service', 'fails');
      case 'an engine host crashes at a step':
        return this.#plan('host', 'crashes');
      case 'a service crashes at a step':
        return this.#plan('service', 'crashes');
      case 'connections to the database break':
        await breakDatabaseConnections(String(setup.settings.database));
        return nothing;
      case 'the database is restarted':
        await this.#options.database?.restart();
        return nothing;
      case 'a call to the database fails':
        return this.#failCall('all');
      case 'a COMMIT fails':
        return this.#failCall('commits');
    }
  }

  #failCall(of: CallPlan['of']): () => Promise<unknown> {
    const { chance, database } = this.#options;
    const mishap = failures[chance.below(failures.length)] ?? 'before';
    const at = 1 + chance.below(MAX_CALL[of]);
    database?.proxy.plan({ at, of, failure: mishap });
    const index = this.injected.length - 1;
    return async () => {
      const when = database?.proxy.endPlan() ? at : 'not';
      this.injected[index] = `${this.injected[index]} (${mishap}, ${when})`;
    };
  }

  /** Loses one in ten responses after the service has done the work. */
  async #loseResponses(): Promise<() => Promise<unknown>> {
    const { setup, chance } = this.#options;
    const faults = '/operator/v1/faults';
    const request = { operations: ['*'], disconnect: 'AFTER' };
    const rule = { probability: 0.1, seed: chance.below(2 ** 32), request };
    // Retry, since connections may still lead to an instance that has ended.
    const send = (request: () => Promise<Reply>, status: number) =>
      until(
        `${status} of ${faults}`,
        () => request().catch(() => undefined),
        (reply) => reply?.status === status,
        RESTART_MS,
      );
    await send(() => setup.operator.post(faults, rule), 201);
    return () => send(() => setup.operator.delete(faults), 204);
  }

  async #fill(clusters: string): Promise<() => Promise<unknown>> {
    const directories = existsSync(clusters) ? readdirSync(clusters) : [];
    const chosen = directories[this.#options.chance.below(directories.length)];
    return chosen === undefined ? async () => {} : mark(join(clusters, chosen));
  }

  async #plan(role: Role, outcome: 'crashes' | 'fails'): Promise<() => Promise<unknown>> {
    const { chance, folder } = this.#options;
    const at = 1 + chance.below(MAX_STEP);
    const fails =
      outcome === 'fails' ? { fails: (['EIO', 'ENOSPC'] as const)[chance.below(2)] ?? 'EIO' } : {};
    planCrash(folder, { role, at, ...fails });
    return async () => endCrashPlan(folder);
  }

  async #restart(): Promise<void> {
    const { setup } = this.#options;
    // Wait, since a process may be crashing at a planned step just now.
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
    // The folder was removed in the meantime.
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

/** Waits until `progress` has increased by `enough`, but for two seconds at most. */
export async function waitForProgress(progress: () => number, enough: number): Promise<void> {
  const begun = performance.now();
  const before = progress();
  while (progress() - before < enough && performance.now() - begun < PROGRESS_MS) await setTimeout(STEP_MS);
}
