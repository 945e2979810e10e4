import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOCATOR, compileCache, FLAGS, isAtLeast } from '@portolan/foundation/launch';
import { CompanionError } from './errors.ts';

export interface Command {
  readonly node: string;
  readonly args: readonly string[];
  /** Additional environment variables. The command also has the variables of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the command that runs an entry point with the same Node.js as this process. `entry` is the path of the entry
 * point without the extension. Throws a `CompanionError` if this Node.js is older than `oldest`, such as '22.13'.
 */
export function launchCommand(entry: string, oldest: string): Command {
  const version = process.versions.node;
  if (!isAtLeast(version, oldest))
    throw new CompanionError(`Portolan needs Node.js ${oldest} or newer; this is ${version}.`);
  const isBuilt = existsSync(`${entry}.js`);
  return {
    node: process.execPath,
    args: [...FLAGS, `${entry}${isBuilt ? '.js' : '.ts'}`],
    env: {
      ...ALLOCATOR,
      ...(isBuilt ? { NODE_COMPILE_CACHE: compileCache(join(entry, '../../.cache')) } : {}),
    },
  };
}
