import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { binaryOf } from '../check/commands.ts';
import { filesBelow } from '../check/tree.ts';
import { builtPath, type PublishedName } from './bundle.ts';

/** The libraries that a package contains. */
const LIBRARIES: Readonly<Record<PublishedName, readonly string[]>> = {
  engine: ['packages/engine/src/library'],
  portolan: ['packages/portolan/src/library', 'packages/engine/src/library'],
};
const ENGINE_LIBRARY = /(['"])@portolan\/engine\/library\/([^'"]+)\1/g;

/** Runs the TypeScript compiler and returns its exit code. */
export function compile(root: string, args: readonly string[]): number {
  const command = [binaryOf('@typescript/native', 'tsc'), ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/**
 * Compiles the code that other programs load: as CommonJS, which `import` and `require` of every Node.js accept, while all
 * other code is modules.
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
    if (code === 0) for (const library of LIBRARIES[name]) place(root, { library, name, output, target });
    return code;
  } finally {
    rmSync(output, { recursive: true });
  }
}

interface Placement {
  readonly library: string;
  readonly name: PublishedName;
  readonly output: string;
  readonly target: string;
}

function place(root: string, { library, name, output, target }: Placement): void {
  const built = builtPath(library, name);
  const folder = join(target, built);
  cpSync(join(output, library.slice('packages/'.length)), folder, { recursive: true });
  for (const file of ['folder.cjs', 'folder.d.cts']) cpSync(join(root, library, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const engine = builtPath('packages/engine/src/library', name);
  for (const path of filesBelow(target, built).filter((path) => /\.(js|d\.ts)$/.test(path))) {
    const file = join(target, path);
    const toEngine = posix.relative(dirname(path), engine);
    const text = readFileSync(file, 'utf8')
      // Declarations name files as they are in the source.
      .replace(/(['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1.js')
      .replace(ENGINE_LIBRARY, (_, quote, rest) => `${quote}${toEngine}/${rest}.js${quote}`);
    writeFileSync(file, text);
  }
}
