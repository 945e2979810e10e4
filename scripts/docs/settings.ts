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
    'You can set each setting by a flag, by an environment variable, or in the settings file (`--config`). A flag\n' +
      'overrides the environment variable, and both override the settings file. The settings file contains a JSON object,\n' +
      'whose keys are the names of flags without the leading dashes.\n',
    'If the column Default is empty, the setting is not set by default. If the service then uses another value, the last\n' +
      'column names this value. Settings with the default `off` are turned on by the flag alone, or by the value `on` of the\n' +
      'environment variable.\n',
    table(
      ['Flag', 'Environment', 'Default', 'Meaning'],
      settings.map((one) => [
        code(`--${one.name}`),
        code(one.environment),
        one.default === undefined ? '' : code(one.default),
        one.later ? `${one.description} Not available yet; rejected.` : one.description,
      ]),
    ),
  ]);
}
