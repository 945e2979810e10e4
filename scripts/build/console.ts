import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Metafile, type OutputFile } from 'esbuild';

/**
 * Builds the console into a folder: `index.html`, and files in `assets` whose names contain a hash of their content. All
 * links are relative, so that the console works below a path of a proxy.
 */
export async function buildConsole(root: string, target: string): Promise<void> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, 'packages/console/src/main.tsx')],
    bundle: true,
    format: 'esm',
    splitting: true,
    minify: true,
    jsx: 'automatic',
    target: ['chrome120', 'firefox121', 'safari17'],
    define: { 'process.env.NODE_ENV': '"production"' },
    ...assets(target),
    metafile: true,
    absWorkingDir: root,
    chunkNames: '[name]-[hash]',
    write: false,
  });
  const isFirst = ({ path }: OutputFile) => !path.endsWith('.css') || MAIN_STYLES.test(basename(path));
  const files = [...outputFiles.filter(isFirst), ...(await buildLaterStyles(root, target, metafile))];
  mkdirSync(join(target, 'assets'), { recursive: true });
  for (const { path, contents } of files) writeFileSync(path, contents);
  writeFileSync(join(target, 'index.html'), page(files));
}

const assets = (target: string) =>
  ({
    loader: { '.woff2': 'file', '.svg': 'file', '.png': 'file', '.jpg': 'file' },
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
  }) as const;

const MAIN_STYLES = /^main-.*\.css$/;

/** One style sheet for all pages that are loaded later, without what the first one contains. */
async function buildLaterStyles(root: string, target: string, { outputs }: Metafile): Promise<OutputFile[]> {
  const [first = [], later = []] = [true, false].map((isMain) =>
    Object.entries(outputs)
      .filter(([path]) => path.endsWith('.css') && MAIN_STYLES.test(basename(path)) === isMain)
      .flatMap(([, { inputs }]) => Object.keys(inputs)),
  );
  const missing = [...new Set(later)].filter((path) => !first.includes(path));
  const contents = missing.map((path) => `@import ${JSON.stringify(`./${path}`)};`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, loader: 'css', resolveDir: root, sourcefile: 'later.css' },
    bundle: true,
    minify: true,
    ...assets(target),
    entryNames: 'later-[hash]',
    write: false,
  });
  return outputFiles;
}

function page(files: readonly OutputFile[]): string {
  const named = (pattern: RegExp) =>
    files.map(({ path }) => basename(path)).find((name) => pattern.test(name));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Portolan</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="./assets/${named(MAIN_STYLES)}">
<meta name="later-styles" content="./assets/${named(/^later-.*\.css$/)}">
<script type="module" src="./assets/${named(/^main-.*\.js$/)}"></script>
</head>
<body><div id="root"></div></body>
</html>
`;
}

/** Builds the console of a clone if it is missing or older than its sources. */
export async function buildConsoleIfStale(root: string): Promise<void> {
  const folder = join(root, 'packages/console');
  const target = join(folder, 'dist');
  const sources = [join(root, 'package-lock.json'), import.meta.filename, ...filesIn(join(folder, 'src'))];
  const newest = Math.max(...sources.map((path) => statSync(path).mtimeMs));
  const built = statSync(join(target, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built >= newest) return;
  const fresh = join(dirname(target), `.dist-${process.pid}`);
  await buildConsole(root, fresh);
  if (existsSync(target)) rmSync(target, { recursive: true });
  renameSync(fresh, target);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
