import { parseArgs } from 'node:util';
import { ConfigError, parsed } from '@portolan/foundation/command-line';
import { readConfig } from '@portolan/service/config';
import type { Action } from './command.ts';

/** The arguments of a command whose first argument is an action. */
export interface Words {
  readonly action: string;
  /** The arguments that follow the action. */
  readonly words: readonly string[];
  /** The data directory of the service to call. */
  readonly dataDirectory: string;
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/**
 * Reads `ACTION WORD … [--data-dir DIR]`. `more` has further flags, and whether they take a value. As for `start`, the
 * flag, the environment or the settings file determines the data directory.
 */
export function readWords(
  command: string,
  actions: Readonly<Record<string, Action>>,
  args: readonly string[],
  more: Readonly<Record<string, 'string' | 'boolean'>> = {},
): Words {
  const text = { type: 'string' } as const;
  const others = Object.entries(more).map(([name, type]) => [name, { type }] as const);
  const options = { 'data-dir': text, config: text, ...Object.fromEntries(others) };
  const advice = 'See portolan help.';
  const { values, positionals } = parsed(
    () => parseArgs({ args: [...args], options, allowPositionals: true, strict: true }),
    advice,
  );
  const [action, ...words] = positionals;
  if (action === undefined || !Object.hasOwn(actions, action)) {
    const names = Object.keys(actions).join(', ');
    throw new ConfigError(`portolan ${command} takes one of ${names}; see portolan help`);
  }
  const given = (['data-dir', 'config'] as const).flatMap((name) =>
    typeof values[name] === 'string' ? [`--${name}`, values[name]] : [],
  );
  const dataDirectory = readConfig(given, process.env)['data-dir'];
  return { action, words, dataDirectory, flags: values };
}

/** Checks the number of arguments. The error lists the arguments of the action. */
export function checkWords(
  { action, words }: Words,
  usage: string | undefined,
  { least, most = least }: { readonly least: number; readonly most?: number },
): void {
  if (words.length >= least && words.length <= most) return;
  throw new ConfigError(`${action} takes ${usage ?? 'nothing'}, but got ${words.length} words`);
}
