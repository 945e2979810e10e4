import { join } from 'node:path';
import { keptInstall } from './kept-install.ts';
import { runProgram } from './tools.ts';

/** Ignored by git, the checks and the compiler, and kept between runs. */
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
const INSTALL_LIMIT_MS = 60_000;

/** A Python package in a virtual environment. */
export interface PythonPackage {
  /** The path of its Python. */
  readonly python: string;
  /** Returns the reason if it cannot be installed on this machine, undefined otherwise. */
  install(): Promise<string | undefined>;
}

/** `requirement` as pip accepts it; `module` is the name for `import`. */
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
