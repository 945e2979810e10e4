import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { filesBelow, isTest } from '../check/tree.ts';
import { buildConsole } from './console.ts';
import { builtin, packagesOutside, plainBuiltins, withDependencies } from './plugins.ts';

/**
 * Bundles the modules of each process and thread into few files. Node.js takes about 0.5 ms to find, read and link a
 * module, and longer if many modules import it. Entry points keep their paths (`packages/portolan/src/main.ts` becomes
 * `main.js`). Code that an entry point loads later is in the folder `shared`.
 */

/**
 * Packages that are bundled together with their dependencies. They consist of many small files, and every start of a
 * service loads them. npm installs all other dependencies.
 */
const TAKEN_IN = ['ipaddr.js', 'kysely', 'modern-tar', 'negotiator', 'otpauth', 'pino', 'typebox'];

const FAMILIES = 'packages/service/src/resources/load.ts';
const RESOURCES = 'packages/service/src/resources';

/** Matches the places where the source names the file of a process or thread. */
const STARTED = /entryPoint\(import\.meta\.filename, '([^']+)'\)/g;

/**
 * A command that is bundled apart from the program that loads it. Otherwise, each set of commands with a module in
 * common would get a file. A start would load 70 files instead of 30.
 */
const START = 'portolan/src/commands/start.ts';
/** Matches the import of this command in the table of commands. */
const IMPORT_OF_START = /import\('\.\/start\.ts'\)/g;

/**
 * The entry points of the processes of each published package, and the workspace packages that it includes. Entry
 * points in the same list share files, because most of their code is the same.
 */
const PUBLISHED = {
  engine: {
    processes: [['engine/src/companion/main.ts'], ['engine/src/command-line/main.ts']],
    includes: ['engine', 'foundation'],
  },
  portolan: {
    processes: [
      ['portolan/src/main.ts'],
      [START, 'portolan/src/companion/main.ts'],
      ['engine/src/companion/main.ts'],
    ],
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
  const entries = processes.map((together) => together.map((path) => `packages/${path}`));
  const taken = new Set<string>();
  for (const together of [...entries, ...startedBy(root, files).map((path) => [path])])
    for (const each of await bundleTogether(root, name, together, target)) taken.add(each);
  await Promise.all([...taken].map((each) => copyLicense(root, target, each)));
  for (const path of files.filter((path) => !/\.(ts|cts)$/.test(path)))
    cpSync(join(root, path), join(target, builtPath(path, name)));
  cpSync(join(root, 'packages/foundation/launch.cjs'), join(target, 'launch.cjs'));
  if (name !== 'portolan') return;
  await buildConsole(root, join(target, 'console'));
  makeEmptyDatabase(target);
}

/** Bundles entry points that share files. Returns the names of the packages that are bundled with them. */
async function bundleTogether(
  root: string,
  name: PublishedName,
  entries: readonly string[],
  target: string,
): Promise<string[]> {
  const inside = withDependencies(root, TAKEN_IN);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries.map((path) => ({ in: join(root, path), out: builtPath(path, name).slice(0, -3) })),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: name === 'engine' ? 'node22' : 'node24',
    outdir: target,
    chunkNames: 'shared/[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    plugins: [plainBuiltins, packagesOutside(inside), ownPlaces(root, name)],
  });
  await Promise.all(outputFiles.map((file) => write(file, target)));
  const files = Object.keys(metafile.inputs);
  return [...inside].filter((each) => files.some((file) => file.startsWith(`node_modules/${each}/`)));
}

/** Returns the path of a source file in a built package. */
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
 * Makes each module see the path that it would have as a separate file. Modules look for other files relative to their
 * own path.
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
        const start = `import(__address(${JSON.stringify(builtPath(`packages/${START}`, published))}))`;
        const contents = text
          .replaceAll(IMPORT_OF_START, start)
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
  const places = `const { join: __join } = ${builtin('node:path')};
const { pathToFileURL: __toUrl } = ${builtin('node:url')};
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
  await writeFile(join(target, 'licenses', `${name.replace('/', '-')}.txt`), text);
}
