import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

/** The published package, and the workspace packages in it. */
const WHOLE = 'packages/portolan/package.json';
const PARTS = [
  'packages/foundation/package.json',
  'packages/engine/package.json',
  'packages/service/package.json',
];

type Dependencies = Readonly<Record<string, string>>;

/**
 * Checks that the manifest of `portolan` lists the dependencies of all packages that it contains, in the same versions.
 * npm reads no other manifest when it installs `portolan`.
 */
export function checkManifests(root: string): Finding[] {
  if (![WHOLE, ...PARTS].every((file) => existsSync(join(root, file)))) return [];
  const listed = dependenciesOf(root, WHOLE);
  return PARTS.flatMap((file) =>
    Object.entries(dependenciesOf(root, file))
      .filter(([name, version]) => !name.startsWith('@portolan/') && listed[name] !== version)
      .map(([name, version]) => ({
        file: WHOLE,
        message: `must depend on ${name} ${version}, as ${file} does`,
      })),
  );
}

function dependenciesOf(root: string, file: string): Dependencies {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    dependencies?: Dependencies;
    peerDependencies?: Dependencies;
  };
  return { ...dependencies, ...peerDependencies };
}
