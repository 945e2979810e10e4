import { join } from 'node:path';
import { runProgram } from './tools.ts';

const PYMONGO = 'pymongo==4.15.4';
/** Below what git, the checks and the compiler pass over; kept between runs. */
const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'portolan-pymongo');
/** The Python that has it. */
export const PYTHON =
  process.platform === 'win32' ? join(FOLDER, 'Scripts', 'python.exe') : join(FOLDER, 'bin', 'python');

const INSTALL_LIMIT_MS = 60_000;

/** Answers why PyMongo cannot be had on this machine; nothing when it is there. */
export async function installPyMongo(): Promise<string | undefined> {
  if ((await runProgram(PYTHON, ['-c', 'import pymongo'])).code === 0) return undefined;
  const steps = [
    ['python3', '-m', 'venv', '--clear', FOLDER],
    [PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PYMONGO],
  ];
  for (const [program = '', ...args] of steps) {
    const { code, stderr } = await runProgram(program, args, { limit: INSTALL_LIMIT_MS });
    if (code !== 0) return `${args.slice(0, 3).join(' ')}: ${stderr.trim().split('\n').at(-1)}`;
  }
  return undefined;
}
