import { operatorOf } from './operator.ts';
import { stateActions } from './state-actions.ts';
import { checkWords, readWords, type Words } from './words.ts';

interface SavedState {
  readonly name: string;
  readonly saved: string;
  readonly bytes: number;
  readonly clusters: number;
}

type Run = (words: Words, name: string) => Promise<string[]>;

/** `portolan state …`: asks the service that runs to save itself, or to go back. */
export async function state(args: readonly string[]): Promise<number> {
  const words = readWords('state', stateActions, args);
  const { usage } = stateActions[words.action] ?? {};
  checkWords(words, usage, { least: usage === undefined ? 0 : 1 });
  const lines = await runs[words.action]?.(words, String(words.words[0]));
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
    return (await operator.call<SavedState[]>('GET', '/states')).map(shown);
  },
  async delete({ dataDirectory }, name) {
    const operator = await operatorOf(dataDirectory);
    await operator.call('DELETE', `/states/${encodeURIComponent(name)}`);
    return [`deleted ${name}`];
  },
};

function shown({ name, saved, clusters, bytes }: SavedState): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  return `${name.padEnd(20)} ${saved}  ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}, ${size}`;
}
