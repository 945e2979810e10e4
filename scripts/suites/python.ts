import { join } from 'node:path';
import type { Preparation, SuiteFolders } from './suite.ts';

/** Timeout that ends a test which waits forever. */
const TEST_SECONDS = '120';

export function pythonOf({ own }: SuiteFolders): string {
  return join(own, 'venv', 'bin', 'python');
}

/** Creates a virtual environment with these packages, and with pytest. */
export function withPackages(
  places: SuiteFolders,
  packages: readonly string[],
  program = 'python3',
): Preparation[] {
  const folder = join(places.own, 'venv');
  const python = pythonOf(places);
  return [
    { makes: python, program, args: ['-m', 'venv', folder] },
    {
      makes: join(folder, 'bin', 'pytest'),
      program: python,
      args: ['-m', 'pip', 'install', '-q', ...packages, 'pytest-timeout'],
    },
  ];
}

export function pytest(report: string, ...more: readonly string[]): string[] {
  const quiet = ['-q', '-p', 'no:cacheprovider', '--tb=native', '--timeout', TEST_SECONDS];
  return ['-m', 'pytest', ...quiet, `--junitxml=${report}`, ...more];
}
