import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';

/**
 * Builds the console into a folder: `index.html`, and files in `assets` whose names contain a hash of their content.
 * All links are relative, so that the console works if a proxy adds a path prefix.
 */
export async function buildConsole(root: string, target: string): Promise<void> {
  const options = optionsFor(root, target);
  const { metafile } = await build({ ...options, metafile: true });
  const { outputFiles } = await build({ ...options, plugins: [withoutUnusedStyles(metafile)] });
  // Keep only the style sheet of the first page, since it includes the styles of all pages. esbuild also writes a style
  // sheet for each page that is loaded later.
  const files = outputFiles.filter(({ path }) => !path.endsWith('.css') || MAIN_STYLES.test(basename(path)));
  mkdirSync(join(target, 'assets'), { recursive: true });
  await Promise.all(files.map(({ path, contents }) => write(path, contents)));
  writeFileSync(join(target, 'index.html'), page(files));
}

/**
 * Writes a file and, if it is a text, the same file compressed with Brotli. The strongest compression takes some seconds
 * of CPU time for all files, so the service does not do it.
 */
async function write(path: string, contents: Uint8Array): Promise<void> {
  writeFileSync(path, contents);
  if (TEXTS.test(path)) writeFileSync(`${path}.br`, await promisify(brotliCompress)(contents));
}

const TEXTS = /\.(css|js|svg)$/;

const optionsFor = (root: string, target: string) =>
  ({
    entryPoints: [join(root, 'packages/console/src/main.tsx')],
    bundle: true,
    format: 'esm',
    splitting: true,
    minify: true,
    jsx: 'automatic',
    target: ['chrome120', 'firefox121', 'safari17'],
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'file', '.svg': 'file', '.png': 'file', '.jpg': 'file' },
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  }) satisfies BuildOptions;

/**
 * Omits the styles of components that no page uses. The component set imports the styles of all components. Beside each
 * style sheet, the set has a module of class names. The bundle contains this module only if a page uses the component.
 */
function withoutUnusedStyles({ outputs }: Metafile): Plugin {
  const used = new Set(
    Object.values(outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => CLASS_NAMES.exec(path)?.[1] ?? []),
  );
  return {
    name: 'without unused styles',
    setup({ onLoad }) {
      onLoad({ filter: STYLE_SHEET }, ({ path }) => {
        const name = STYLE_SHEET.exec(path)?.[1] ?? '';
        return used.has(name) ? undefined : { contents: '', loader: 'css' };
      });
    },
  };
}

const CLASS_NAMES = /react-styles\/css\/(.+)\.(?:m?js)$/;
const STYLE_SHEET = /react-styles\/css\/(.+)\.css$/;
const MAIN_STYLES = /^main-.*\.css$/;

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
<script type="module" src="./assets/${named(/^main-.*\.js$/)}"></script>
</head>
<body><div id="root"></div></body>
</html>
`;
}

/** Builds the console in a clone if it does not exist, or if it is older than its sources. */
export async function buildConsoleIfStale(root: string): Promise<void> {
  const folder = join(root, 'packages/console');
  const target = join(folder, 'dist');
  const shared = join(root, 'packages/foundation/src/ordered-json.ts');
  const own = filesIn(join(folder, 'src'));
  const sources = [join(root, 'package-lock.json'), import.meta.filename, shared, ...own];
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
