import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectStatus, until } from '../expect.ts';
import type { Setup } from '../setups.ts';
import type { ClusterDocument, ListDocument } from '../stage.ts';
import { type Row, rowsOf } from './rows.ts';
import { stateMachines } from './transitions.ts';

/** Conditions that must hold once no work is pending. Each function returns the violations. */

/**
 * How long to wait for the end of all tasks. The lease of a killed instance expires after 10 s, and a step that has
 * failed often is retried every half minute. This leaves time for several retries.
 */
const REST_MS = 360_000;

/** Kinds of tasks that never end, or that wait for external services. */
const EXCLUDED_TASKS = /^(alert\.|encryption\.check|liveMigration\.)/;

/** Waits until no task can make progress. Returns those that have not ended. */
export async function unfinishedTasks(setup: Setup): Promise<string[]> {
  const now = Date.now();
  const columns = 'kind, key, step, error, attempts, run_at, lease';
  const open = async () => {
    const rows = await rowsOf(setup, `SELECT ${columns} FROM task WHERE failed = 0 ORDER BY key, position`);
    return rows.filter(({ kind, run_at }) => Number(run_at) <= now && !EXCLUDED_TASKS.test(String(kind)));
  };
  const left = await until('the end of all tasks', open, (rows) => rows.length === 0, REST_MS).catch(open);
  // The first task with a key blocks all others with this key.
  const byKey = Map.groupBy(left, ({ key }) => String(key));
  return [...byKey.values()].map(
    (rows) => `${rows.length} tasks with one key have not ended, the first is ${JSON.stringify(rows[0])}`,
  );
}

/** Waits until the states of all rows are final. Returns the rows with other states. */
export async function wrongStates(setup: Setup): Promise<string[]> {
  const wrong: string[] = [];
  for (const [table, { column, restingStates: rest = [] }] of Object.entries(stateMachines)) {
    if (rest.length === 0) continue;
    const there = () => rowsOf(setup, `SELECT * FROM ${table}`);
    const moving = (rows: readonly Row[]) => rows.filter((row) => !rest.includes(String(row[column])));
    const none = (rows: readonly Row[]) => moving(rows).length === 0;
    const rows = await until(`a resting state of ${table}`, there, none, REST_MS).catch(there);
    wrong.push(
      ...moving(rows).map((row) => `${table} stays in a transitional state: ${JSON.stringify(row)}`),
    );
  }
  return wrong;
}

/** Finds files, processes and ports that belong to no cluster. */
export async function leftovers(setup: Setup): Promise<string[]> {
  const known = (await rowsOf(setup, 'SELECT id FROM cluster')).map(({ id }) => String(id)).sort();
  const directories = setup.instances.map(({ dataDirectory }) => dataDirectory);
  const wrong: string[] = [];
  // Files whose removal has failed stay until their host restarts.
  const hasFailed = (step: string) => setup.instances.some((instance) => instance.log().includes(step));
  const deployed = directories.flatMap((directory) => filesIn(join(directory, 'engine/clusters'))).sort();
  if (JSON.stringify(deployed) !== JSON.stringify(known))
    wrong.push(`deployments of ${deployed} for the clusters ${known}`);
  for (const directory of directories) {
    const temporary = [
      join(directory, 'temporary'),
      ...filesIn(join(directory, 'engine/clusters')).map((id) =>
        join(directory, 'engine/clusters', id, 'temporary'),
      ),
    ];
    for (const folder of temporary)
      for (const name of filesIn(folder))
        if (!hasFailed(`rm ${name}`)) wrong.push(`left over: ${join(folder, name)}`);
  }
  const expected = setup.instances
    .flatMap((instance) => [instance.pid, instance.hostPid()])
    .sort((a, b) => a - b);
  const running = processesOf(dirname(directories[0] ?? ''));
  if (running !== undefined && JSON.stringify(running) !== JSON.stringify(expected))
    wrong.push(`the processes ${running} run instead of ${expected}`);
  return [...wrong, ...(await sharedPorts(setup))];
}

const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** Processes whose command line contains `folder`; undefined on systems that do not list processes. */
function processesOf(folder: string): number[] | undefined {
  if (!existsSync('/proc/self/cmdline')) return undefined;
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids
    .filter((id) => commandOf(id).includes(folder))
    .map(Number)
    .sort((a, b) => a - b);
}

/** Returns the command line of a process; empty if the process has just ended. */
function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function sharedPorts(setup: Setup): Promise<string[]> {
  const reply = await setup.account.get('/groups?itemsPerPage=500');
  const projects = expectStatus<ListDocument<{ id: string }>>(reply, 200).results;
  const ports: string[] = [];
  for (const { id } of projects) {
    const list = await setup.account.get(`/groups/${id}/clusters?itemsPerPage=500`);
    for (const { connectionStrings } of expectStatus<ListDocument<ClusterDocument>>(list, 200).results)
      ports.push(...(connectionStrings.standard?.match(/[\d.]+:\d+/g) ?? []));
  }
  return new Set(ports).size === ports.length ? [] : [`members share ports: ${ports.sort()}`];
}
