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
    'Each setting can be set by a flag, by an environment variable, or in the settings file (`--config`). A flag overrides\n' +
      'the environment variable, which overrides the settings file. The settings file contains a JSON object, whose keys are\n' +
      'the names of flags without the leading dashes.\n',
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
