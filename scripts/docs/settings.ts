import { code, page, table } from './markdown.ts';

export interface DocumentedSetting {
  readonly name: string;
  /** Its environment variable. */
  readonly environment: string;
  readonly default?: string | undefined;
  /** Refused for now: the part that it speaks of is not there yet. */
  readonly later?: boolean | undefined;
  readonly description: string;
}

/** `docs/settings.md`: every flag, its environment variable and its default. */
export function settingsPage(settings: readonly DocumentedSetting[]): string {
  return page('Settings', [
    'A flag wins over its environment variable, the variable over the settings file (`--config`), the file over the\n' +
      'default. In the file a setting has the name of its flag, without the dashes in front.\n',
    table(
      ['Flag', 'Environment', 'Default', 'Meaning'],
      settings.map((one) => [
        code(`--${one.name}`),
        code(one.environment),
        one.default === undefined ? 'none' : code(one.default),
        one.later ? `${one.description} Not available yet: refused.` : one.description,
      ]),
    ),
  ]);
}
