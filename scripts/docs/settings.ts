import { code, page, table } from './markdown.ts';

export interface DocumentedSetting {
  readonly name: string;
  /** The environment variable of the setting. */
  readonly environment: string;
  readonly default?: string | undefined;
  /** Whether the setting is rejected, since its feature is not implemented yet. */
  readonly later?: boolean | undefined;
  readonly description: string;
}

/** `docs/settings.md`: every flag, its environment variable and its default. */
export function settingsPage(settings: readonly DocumentedSetting[]): string {
  return page('Settings', [
    'You can set a setting in three ways, in this order of precedence: a flag, an environment variable, and the settings\n' +
      'file (`--config`), a JSON object. In this file, a setting has the name of its flag without the leading dashes.\n',
    table(
      ['Flag', 'Environment', 'Default', 'Meaning'],
      settings.map((one) => [
        code(`--${one.name}`),
        code(one.environment),
        one.default === undefined ? 'none' : code(one.default),
        one.later ? `${one.description} Not available yet; rejected.` : one.description,
      ]),
    ),
  ]);
}
