import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A workspace package, according to its manifest. */
export interface WorkspacePackage {
  readonly name: string;
  /** The folder relative to the root, with slashes: `packages/engine`. */
  readonly folder: string;
  /** Entry points by subpath, if they are source files. */
  readonly exports: Readonly<Record<string, string>>;
  /** The package names in `dependencies` and `devDependencies`. */
  readonly dependencies: ReadonlySet<string>;
}

type Manifest = {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: object;
  readonly devDependencies?: object;
};

const FOLDERS = ['packages', 'test'];

/** Returns the workspace packages of the tree below a root folder. */
export function workspacePackages(root: string): WorkspacePackage[] {
  return FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => packageIn(folder, JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))));
}

function packageIn(folder: string, manifest: Manifest): WorkspacePackage {
  const sources = Object.entries(manifest.exports ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  return {
    name: manifest.name,
    folder,
    exports: Object.fromEntries(sources),
    dependencies: new Set(dependencies),
  };
}

/** Returns the package that a file is in. */
export function packageOf(path: string, packages: readonly WorkspacePackage[]): WorkspacePackage | undefined {
  return packages.find(({ folder }) => path.startsWith(`${folder}/`));
}

/** Returns the package that a specifier such as `@portolan/engine/management` names. */
export function packageNamed(
  specifier: string,
  packages: readonly WorkspacePackage[],
): WorkspacePackage | undefined {
  return packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
}

/**
 * Returns the file, relative to the root, to which a relative specifier or the specifier of a workspace package
 * resolves; undefined for other specifiers.
 */
export function targetOf(
  path: string,
  specifier: string,
  packages: readonly WorkspacePackage[],
): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  const named = packageNamed(specifier, packages);
  const entry = named && exportedFile(named, `.${specifier.slice(named.name.length)}`);
  return entry === undefined ? undefined : posix.join(named?.folder ?? '', entry);
}

/**
 * Resolves a subpath by Node.js's rules for `exports`: an exact subpath takes precedence over a pattern with one
 * asterisk.
 */
function exportedFile({ exports }: WorkspacePackage, subpath: string): string | undefined {
  const exact = exports[subpath];
  if (exact !== undefined) return exact;
  for (const [pattern, file] of Object.entries(exports)) {
    const [head = '', tail] = pattern.split('*');
    if (tail === undefined || !subpath.startsWith(head) || !subpath.endsWith(tail)) continue;
    return file.replace('*', subpath.slice(head.length, subpath.length - tail.length));
  }
  return undefined;
}
