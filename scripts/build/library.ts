import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { binaryOf } from '../check/commands.ts';
import { filesBelow } from '../check/tree.ts';
import { builtPath, type PublishedName } from './bundle.ts';

const ENGINE_LIBRARY = 'packages/engine/src/library';
/** The libraries in each package. */
const LIBRARIES: Readonly<Record<PublishedName, readonly string[]>> = {
  engine: [ENGINE_LIBRARY],
  portolan: ['packages/portolan/src/library', ENGINE_LIBRARY],
};
/** Matches the specifiers by which the source of a library imports modules of other packages. */
const MODULE = /(['"])@portolan\/((?:engine\/library|foundation)\/[^'"]+)\1/g;

/** Runs the TypeScript compiler. Returns its exit code. */
export function compile(root: string, args: readonly string[]): number {
  const command = [binaryOf('@typescript/native', 'tsc'), ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/**
 * Compiles the code that other programs load. It becomes CommonJS, which `import` and `require` of every Node.js
 * version accept. All other code is ES modules.
 */
export function compileLibrary(
  root: string,
  name: PublishedName,
  target: string,
  flags: readonly string[],
): number {
  const output = mkdtempSync(join(tmpdir(), 'portolan-library-'));
  try {
    const project = join(root, `tsconfig.library-${name}.json`);
    const code = compile(root, ['-p', project, '--outDir', output, ...flags]);
    if (code === 0) placeAll(root, { name, output, target });
    return code;
  } finally {
    rmSync(output, { recursive: true });
  }
}

interface Placement {
  readonly name: PublishedName;
  /** The folder of the compiled files. */
  readonly output: string;
  readonly target: string;
}

/**
 * Copies the libraries to their folders in the package. The modules of `foundation` that they import go to a folder of
 * the engine's library.
 */
function placeAll(root: string, { name, output, target }: Placement): void {
  const engine = builtPath(ENGINE_LIBRARY, name);
  cpSync(join(output, 'foundation/src'), join(target, engine, 'foundation'), { recursive: true });
  for (const library of LIBRARIES[name]) {
    const folder = join(target, builtPath(library, name));
    cpSync(join(output, library.slice('packages/'.length)), folder, { recursive: true });
    for (const file of ['folder.cjs', 'folder.d.cts']) cpSync(join(root, library, file), join(folder, file));
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  }
  for (const library of LIBRARIES[name]) {
    for (const path of filesBelow(target, builtPath(library, name)))
      if (/\.(js|d\.ts)$/.test(path)) nameBuiltFiles(target, path, engine);
  }
}

/**
 * Replaces the specifiers in a file by paths in the package. `engine` is the folder of the engine's library in the
 * package.
 */
function nameBuiltFiles(target: string, path: string, engine: string): void {
  const nameFor = (module: string) => {
    const name = posix.relative(dirname(path), builtModule(module, engine));
    return name.startsWith('.') ? name : `./${name}`;
  };
  const file = join(target, path);
  const text = readFileSync(file, 'utf8')
    // In declarations, specifiers are still those of the source.
    .replace(/(['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1.js')
    .replace(MODULE, (_, quote, module) => `${quote}${nameFor(module)}${quote}`);
  writeFileSync(file, text);
}

/** Returns the built file of a module such as `foundation/serial-queue`, relative to the package's folder. */
function builtModule(module: string, engine: string): string {
  if (module === 'foundation/launch') return 'launch.cjs';
  return `${engine}/${module.replace(/^engine\/library\//, '')}.js`;
}
