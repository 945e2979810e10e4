import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { filesBelow, isTest } from '../check/tree.ts';
import { buildConsole } from './console.ts';

/**
 * Bundles all modules into about a hundred files, since Node.js takes about 0.5 ms to find, read and link a module.
 * Entry points of processes and threads keep their paths (`packages/portolan/src/main.ts` becomes `main.js`). Shared
 * code is in the folder `shared`.
 */

/**
 * Packages that are bundled, since importing any part of them loads hundreds of small files. npm installs all other
 * dependencies.
 */
const TAKEN_IN = ['kysely', 'typebox'];

const FAMILIES = 'packages/service/src/resources/load.ts';
const RESOURCES = 'packages/service/src/resources';

/** Matches the places where the source names the file of a process or thread. */
const STARTED = /entryPoint\(import\.meta\.filename, '([^']+)'\)/g;

/** The entry points of the processes of each published package, and the workspace packages that it includes. */
const PUBLISHED = {
  engine: {
    processes: ['engine/src/companion/main.ts', 'engine/src/command/main.ts'],
    includes: ['engine', 'foundation'],
  },
  portolan: {
    processes: ['portolan/src/main.ts', 'portolan/src/companion/main.ts', 'engine/src/companion/main.ts'],
    includes: ['portolan', 'service', 'engine', 'foundation'],
  },
} as const;

export type PublishedName = keyof typeof PUBLISHED;

export function isPublished(name: string): name is PublishedName {
  return Object.hasOwn(PUBLISHED, name);
}

/**
 * Writes the code of a published package, and copies the other files that the code reads. `src/main.ts` of the package
 * itself becomes `main.js`; a file of another package becomes, for example, `engine/host/main.js`.
 */
export async function bundle(root: string, name: PublishedName, target: string): Promise<void> {
  const { processes, includes } = PUBLISHED[name];
  const files = includes
    .flatMap((each) => filesBelow(root, `packages/${each}/src`))
    .filter((path) => !isTest(path));
  const started = [...processes.map((path) => `packages/${path}`), ...startedBy(root, files)];
  const { outputFiles } = await build({
    entryPoints: started.map((path) => ({
      in: join(root, path),
      out: builtPath(path, name).replace(/\.js$/, ''),
    })),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: name === 'engine' ? 'node22' : 'node24',
    outdir: target,
    chunkNames: 'shared/[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    plugins: [plainBuiltins, packagesOutside, ownPlaces(root, name)],
  });
  await Promise.all(outputFiles.map((file) => write(file, target)));
  if (name === 'portolan') await Promise.all(TAKEN_IN.map((each) => copyLicense(root, target, each)));
  for (const path of files.filter((path) => !/\.(ts|cts)$/.test(path)))
    cpSync(join(root, path), join(target, builtPath(path, name)));
  cpSync(join(root, 'packages/foundation/launch.cjs'), join(target, 'launch.cjs'));
  if (name !== 'portolan') return;
  await buildConsole(root, join(target, 'console'));
  makeEmptyDatabase(target);
}

/** The path of a source file in a built package. */
export function builtPath(path: string, name: PublishedName): string {
  const [, folder = '', rest = ''] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? [];
  return (folder === name ? rest : `${folder}/${rest}`).replace(/\.ts$/, '.js');
}

/** Runs in a separate process, since it loads the whole source. */
function makeEmptyDatabase(target: string): void {
  const script = join(import.meta.dirname, 'empty-database.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, target];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the empty database could not be made:\n${stderr}`);
}

function startedBy(root: string, files: readonly string[]): string[] {
  return files
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const named = readFileSync(join(root, path), 'utf8').matchAll(STARTED);
      return [...named].map(([, started]) => `${join(dirname(path), started ?? '')}.ts`);
    });
}

/**
 * Replaces `import` of these Node.js modules by `require`: `import` evaluates every export, including a getter that
 * loads an unused HTTP client, which takes 25 ms.
 */
const plainBuiltins: Plugin = {
  name: 'plain builtins',
  setup(build) {
    build.onResolve({ filter: /^node:https?$/ }, ({ path }) => ({ path, namespace: 'builtin' }));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/**
 * Leaves imports of packages and of Node.js modules as they are. Their specifiers are neither relative nor absolute
 * paths.
 */
const packagesOutside: Plugin = {
  name: 'packages outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (path.startsWith('@portolan/')) return undefined;
      const isInside = kind === 'entry-point' || TAKEN_IN.some((name) => `${path}/`.startsWith(`${name}/`));
      return isInside ? undefined : { path, external: true };
    });
  },
};

/**
 * Gives each module, as its own path, the path that the module would have as a separate file. Modules look for other
 * files relative to their own path.
 */
function ownPlaces(root: string, published: PublishedName): Plugin {
  return {
    name: 'own places',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const name = relative(root, path).replaceAll(sep, '/');
        if (!name.startsWith('packages/')) return undefined;
        const text = name === FAMILIES ? familiesByName(root) : readFileSync(path, 'utf8');
        const file = builtPath(name, published);
        const contents = text
          .replaceAll('import.meta.filename', `__place(${JSON.stringify(file)})`)
          .replaceAll('import.meta.dirname', `__place(${JSON.stringify(dirname(file))})`)
          .replaceAll('import.meta.url', `__address(${JSON.stringify(file)})`);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Replaces the search for resource families in folders by a list of imports. */
function familiesByName(root: string): string {
  const files = filesBelow(root, RESOURCES).filter((path) => path.split('/').length === 6);
  const indexes = files.filter((path) => path.endsWith('/index.ts'));
  const imports = indexes.map(
    (path, i) =>
      `import { family as family${i} } from ${JSON.stringify(`./${path.slice(`${RESOURCES}/`.length)}`)};`,
  );
  const all = indexes.map((_, i) => `family${i}`).join(', ');
  return `${imports.join('\n')}\nexport const loadFamilies = async () => [${all}];\n`;
}

async function write({ path, text }: OutputFile, target: string): Promise<void> {
  const up = JSON.stringify(relative(dirname(path), target) || '.');
  const asksWhere = /\b__(place|address)\(/.test(text);
  const places = `import { join as __join } from 'node:path';
import { pathToFileURL as __toUrl } from 'node:url';
const __place = (file) => __join(import.meta.dirname, ${up}, file);
const __address = (file) => __toUrl(__place(file)).href;
`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, asksWhere ? places + text : text);
}

async function copyLicense(root: string, target: string, name: string): Promise<void> {
  const folder = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const file = readdirSync(folder).find((each) => /^license/i.test(each));
  if (file === undefined) throw new Error(`${name} has no license that could be copied`);
  const text = `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
  await mkdir(join(target, 'licenses'), { recursive: true });
  await writeFile(join(target, 'licenses', `${name}.txt`), text);
}
