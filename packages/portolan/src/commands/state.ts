import { ConfigError } from '@portolan/foundation/command-line';
import { exportState, importState } from '@portolan/service/states/archive';
import { forkState } from '@portolan/service/states/fork';
import { isStateName } from '@portolan/service/states/manifest';
import { type ActionArguments, checkOperands, readArguments } from './arguments.ts';
import { operatorOf } from './operator.ts';
import { stateActions } from './state-actions.ts';

interface UnusableState {
  readonly name: string;
  readonly problem: string;
}

interface SavedState {
  readonly name: string;
  readonly saved: string;
  readonly bytes: number;
  readonly clusters: number;
}

interface Difference {
  readonly change: string;
  readonly type: string;
  readonly id: string;
  readonly name?: string;
}

type Run = (given: ActionArguments, name: string, other: string) => Promise<string[]>;

/** `portolan state …`: saves or restores the state of a running service. */
export async function state(args: readonly string[]): Promise<number> {
  const given = readArguments('state', stateActions, args);
  const { usage } = stateActions[given.action] ?? {};
  const taken = usage?.split(' ') ?? [];
  const min = taken.filter((word) => !word.startsWith('[')).length;
  checkOperands(given, usage, { min, max: taken.length });
  const [name = '', other = ''] = given.operands;
  const lines = await runs[given.action]?.(given, name, other);
  for (const line of lines ?? []) console.log(line);
  return 0;
}

const runs: Readonly<Record<string, Run>> = {
  async save({ dataDirectory }, name) {
    const operator = await operatorOf(dataDirectory);
    return [shown(await operator.call<SavedState>('POST', '/states', { name }))];
  },
  async restore({ dataDirectory }, name) {
    const operator = await operatorOf(dataDirectory);
    await operator.call('POST', `/states/${encodeURIComponent(name)}/restore`);
    return [`restored ${name}`];
  },
  async reset({ dataDirectory }) {
    const operator = await operatorOf(dataDirectory);
    await operator.call('POST', '/reset');
    return ['reset'];
  },
  async list({ dataDirectory }) {
    const operator = await operatorOf(dataDirectory);
    return (await operator.call<(SavedState | UnusableState)[]>('GET', '/states')).map(shown);
  },
  async diff({ dataDirectory }, name, other) {
    const operator = await operatorOf(dataDirectory);
    const query = other === '' ? '' : `?with=${encodeURIComponent(other)}`;
    const path = `/states/${encodeURIComponent(name)}/differences${query}`;
    const found = await operator.call<Difference[]>('GET', path);
    if (found.length === 0) return ['no difference'];
    return found.map(({ change, type, id, name }) => `${change.toLowerCase()} ${type} ${name ?? ''} ${id}`);
  },
  async fork({ dataDirectory }, name, to) {
    checkName(name);
    const hasKey = await forkState(dataDirectory, name, to);
    const key = hasKey
      ? []
      : ['its secrets are encrypted with the key of --secret-key, which the new service needs too'];
    return [`created ${to}; start it with: portolan start --data-dir ${to}`, ...key];
  },
  async export({ dataDirectory }, name, file) {
    checkName(name);
    await exportState(dataDirectory, name, file);
    return [
      `wrote ${file}; also keep the secret key and, if clusters are encrypted, the folder with the master keys`,
    ];
  },
  async import({ dataDirectory }, file, name) {
    checkName(name);
    await importState(dataDirectory, file, name);
    return [`imported ${name}`];
  },
  async delete({ dataDirectory }, name) {
    const operator = await operatorOf(dataDirectory);
    await operator.call('DELETE', `/states/${encodeURIComponent(name)}`);
    return [`deleted ${name}`];
  },
};

/** Throws if the name is invalid. It becomes part of a path. */
function checkName(name: string): void {
  if (!isStateName(name)) throw new ConfigError(`${name} is not a valid name of a state`);
}

function shown(state: SavedState | UnusableState): string {
  if ('problem' in state) return `${state.name.padEnd(20)} cannot be used: ${state.problem}`;
  const { name, saved, clusters, bytes } = state;
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  return `${name.padEnd(20)} ${saved}  ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}, ${size}`;
}
