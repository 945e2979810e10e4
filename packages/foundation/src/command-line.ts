/** A setting that cannot be used. The message names it and says what it takes. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** Says in one sentence what is wrong with arguments, and in `advice` where to look. */
export function parsed<T>(parse: () => T, advice: string): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('.')[0]}. ${advice}`);
  }
}
