import '@portolan/foundation/without-undici';
import { ConfigError } from '@portolan/foundation/command-line';
import { commands } from './commands/table.ts';

/** The command line. The first argument is the name of a command, `start` by default. */
const [name = 'start', ...args] = process.argv.slice(2);
const asksHelp = [name, ...args].some((one) => one === '--help' || one === '-h');
const asksVersion = name === '--version' || name === '-v';
const known = asksHelp ? 'help' : asksVersion ? 'version' : name.startsWith('-') ? 'start' : name;
const command = Object.hasOwn(commands, known) ? commands[known] : undefined;
try {
  if (!command) throw new ConfigError(`There is no command ${name}; see portolan help`);
  const given = name.startsWith('-') || asksHelp ? [name, ...args] : args;
  process.exitCode = await command.run(given);
} catch (error) {
  console.error(isPlain(error) ? `portolan: ${(error as Error).message}` : error);
  process.exitCode = 1;
}

/**
 * Whether the message of an error is a clear sentence for the user. Compares the names of classes, because `start` is
 * in a separate bundle, which has its own copies of the classes.
 */
function isPlain(error: unknown): boolean {
  return (
    error instanceof Error &&
    [
      'ConfigError',
      'StoreError',
      'CertificateError',
      'EngineUnavailable',
      'LinkError',
      'StateError',
    ].includes(error.name)
  );
}
