import { join } from 'node:path';
import { keptInstall } from './kept-install.ts';
import { INSTALL_LIMIT_MS, runProgram } from './tools.ts';

/** A folder that is kept between runs, and that git, the checks and the compiler ignore. */
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');

/** A Python package in a virtual environment. */
export interface PythonPackage {
  /** The path of its Python program. */
  readonly python: string;
  /** Installs the package. Returns the reason if that is impossible on this machine, otherwise undefined. */
  install(): Promise<string | undefined>;
}

/** Describes a package. `requirement` is for pip; `module` is the name for `import`. */
export function pythonPackage(name: string, requirement: string, module: string): PythonPackage {
  const folder = join(CACHE, `portolan-${name}`);
  const pythonIn = (place: string) =>
    process.platform === 'win32' ? join(place, 'Scripts', 'python.exe') : join(place, 'bin', 'python');
  const python = pythonIn(folder);
  const isThere = async () => (await runProgram(python, ['-c', `import ${module}`])).code === 0;
  return { python, install: () => keptInstall(folder, isThere, (fresh) => installInto(fresh)) };

  async function installInto(fresh: string): Promise<string | undefined> {
    const steps = [
      ['python3', '-m', 'venv', fresh],
      [pythonIn(fresh), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement],
    ];
    for (const [file = '', ...args] of steps) {
      const { code, stderr } = await runProgram(file, args, { limit: INSTALL_LIMIT_MS });
      if (code !== 0) return `${args.slice(0, 3).join(' ')}: ${stderr.trim().split('\n').at(-1)}`;
    }
    return undefined;
  }
}

export const pymongo = pythonPackage('pymongo', 'pymongo==4.15.4', 'pymongo');
