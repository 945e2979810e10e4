import { parseArgs } from 'node:util';
import { ConfigError, parsed } from '@portolan/foundation/command-line';
import { readConfig } from '@portolan/service/settings';
import type { Action } from './command.ts';

/** The arguments of a command whose first argument is an action, such as `save` in `portolan state save NAME`. */
export interface ActionArguments {
  readonly action: string;
  /** The arguments that follow the action, without flags. */
  readonly operands: readonly string[];
  /** The data directory of the service to call. */
  readonly dataDirectory: string;
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/**
 * Reads `ACTION OPERAND … [--data-dir DIR]`. `more` lists further flags, and says whether each takes a value. As for
 * `start`, the flag, the environment or the settings file determines the data directory.
 */
export function readArguments(
  command: string,
  actions: Readonly<Record<string, Action>>,
  args: readonly string[],
  more: Readonly<Record<string, 'string' | 'boolean'>> = {},
): ActionArguments {
  const text = { type: 'string' } as const;
  const others = Object.entries(more).map(([name, type]) => [name, { type }] as const);
  const options = { 'data-dir': text, config: text, ...Object.fromEntries(others) };
  const advice = 'See portolan help.';
  const { values, positionals } = parsed(
    () => parseArgs({ args: [...args], options, allowPositionals: true, strict: true }),
    advice,
  );
  const [action, ...operands] = positionals;
  if (action === undefined || !Object.hasOwn(actions, action)) {
    const names = Object.keys(actions).join(', ');
    throw new ConfigError(`portolan ${command} takes one of ${names}; see portolan help`);
  }
  const given = (['data-dir', 'config'] as const).flatMap((name) =>
    typeof values[name] === 'string' ? [`--${name}`, values[name]] : [],
  );
  const dataDirectory = readConfig(given, process.env)['data-dir'];
  return { action, operands, dataDirectory, flags: values };
}

/** Checks the number of operands. The error lists the operands of the action. */
export function checkOperands(
  { action, operands }: ActionArguments,
  usage: string | undefined,
  { min, max = min }: { readonly min: number; readonly max?: number },
): void {
  if (operands.length >= min && operands.length <= max) return;
  throw new ConfigError(`${action} takes ${usage ?? 'no arguments'}, but got ${operands.length} arguments`);
}
