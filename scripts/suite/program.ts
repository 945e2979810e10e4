import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../build/bundle.ts';
import { filesBelow, isTest } from '../check/tree.ts';
import type { Text } from './texts.ts';

/** The environment variable with the path of the built program. Without it, tests start the program from source. */
export const PROGRAM_SETTING = 'TESTED_PROGRAM';

/** The folder of the build. It is in the project's `node_modules`, so that Node.js finds the dependencies. */
const PLACE = '.tested-program-';
/** How long a build of another state of the source is kept, since another run may be using it. */
const KEPT_MS = 3_600_000;

interface Build {
  /** The path of the program. */
  readonly program: string;
  /** A folder in which tests store the OpenAPI documents of this build. */
  readonly documents: string;
}

/**
 * If the source has changed, builds the program in the same way as the package. A build takes a second, and saves more:
 * a run starts hundreds of services, and starting one from source takes twice the CPU time.
 */
export async function builtProgram(root: string, sources: readonly Text[]): Promise<Build> {
  const modules = join(root, 'node_modules');
  const name = PLACE + stateOf(root, sources);
  const place = join(modules, name);
  if (!existsSync(place)) {
    const fresh = join(modules, `.new-program-${process.pid}`);
    mkdirSync(fresh);
    await bundle(root, 'portolan', join(fresh, 'dist'));
    cpSync(join(root, 'packages/portolan/package.json'), join(fresh, 'package.json'));
    putInPlace(fresh, place);
  }
  for (const other of readdirSync(modules).filter((each) => each.startsWith(PLACE) && each !== name))
    removeIfOld(join(modules, other));
  return { program: join(place, 'dist', 'main.js'), documents: join(place, 'documents') };
}

/** Returns a hash of everything that the build reads. */
function stateOf(root: string, sources: readonly Text[]): string {
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(root, file)));
  const read = sources.filter(({ path }) => /^(packages|scripts\/build)\//.test(path) && !isTest(path));
  for (const { path, text } of read) hash.update(`${path}\0${text}\0`);
  for (const path of filesBelow(root, 'packages/console/src'))
    hash.update(`${path}\0${readFileSync(join(root, path), 'utf8')}\0`);
  return hash.digest('hex').slice(0, 16);
}

/** Renames a new build to its final name. Removes it if another run has put its build there first. */
function putInPlace(fresh: string, place: string): void {
  try {
    renameSync(fresh, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    rmSync(fresh, { recursive: true });
  }
}

function removeIfOld(place: string): void {
  const { mtimeMs } = statSync(place, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  if (Date.now() - mtimeMs > KEPT_MS) rmSync(place, { recursive: true, force: true });
}
