/** The error for an invalid setting. The message names the setting and the values that it accepts. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * Runs a parser of arguments. Its errors become a `ConfigError` with the first sentence of the message, followed by
 * `advice`.
 */
export function parsed<T>(parse: () => T, advice: string): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('.')[0]}. ${advice}`);
  }
}
