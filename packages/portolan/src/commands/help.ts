import { settings } from '@portolan/service/settings';
import type { Command } from './command.ts';

type Commands = Readonly<Record<string, Command>>;

/** Returns the text of `portolan help`. */
export function usage(commands: Commands): string {
  const names = Object.keys(commands).filter((name) => name !== 'help');
  const lines = Object.entries(commands).flatMap(([name, { summary, actions = {} }]) => [
    `  ${name.padEnd(10)} ${summary}`,
    ...actionLines(name, actions, '    '),
  ]);
  return [
    `usage: portolan ${names.join(' | ')} [--setting value …]`,
    '',
    ...lines,
    '',
    '`portolan COMMAND --help` describes a command and its settings.',
  ].join('\n');
}

/** Returns the text of `portolan COMMAND --help`. */
export function usageOf(name: string, { summary, actions = {}, flags = {} }: Command): string {
  const given = flags === 'settings' ? described() : Object.entries(flags);
  const width = Math.max(...given.map(([flag]) => flag.length), 0);
  return [
    `portolan ${name}: ${summary}`,
    ...section(actionLines(name, actions, '  ')),
    ...section(given.map(([flag, text]) => `  --${flag.padEnd(width)}  ${text}`)),
    ...(flags === 'settings' ? ['', SOURCES] : []),
  ].join('\n');
}

const SOURCES =
  'Each setting can also be set by an environment variable, such as PORTOLAN_DATA_DIR, or in portolan.json, by a key such as "data-dir".';

/** Returns the settings of the service and their descriptions. */
function described(): [string, string][] {
  return Object.entries(settings).map(([name, { description }]) => [name, description]);
}

function section(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function actionLines(name: string, actions: NonNullable<Command['actions']>, indent: string): string[] {
  return Object.entries(actions).map(([action, one]) => {
    const words = one.usage === undefined ? action : `${action} ${one.usage}`;
    return `${indent}${`${name} ${words}`.padEnd(26)} ${one.summary}`;
  });
}
