import { posix } from 'node:path';
import type { Finding } from '../finding.ts';
import { packageNamed, packageOf, targetOf, type WorkspacePackage } from '../packages.ts';
import type { Source } from '../source.ts';
import { isTest } from '../tree.ts';

/** A package that tests may import although no manifest lists it. */
const TEST_SUPPORT = '@portolan/test-support';

/**
 * Checks that packages import each other by name, through `exports`, and import only packages that their manifest
 * lists.
 */
export function checkExports(sources: readonly Source[], packages: readonly WorkspacePackage[]): Finding[] {
  return sources.flatMap((source) => {
    const own = packageOf(source.path, packages);
    if (own === undefined) return [];
    return source.imports.flatMap(({ specifier, line }) => {
      const message = complaint(source.path, specifier, own, packages);
      return message === undefined ? [] : [{ file: source.path, line, message }];
    });
  });
}

function complaint(
  path: string,
  specifier: string,
  own: WorkspacePackage,
  packages: readonly WorkspacePackage[],
): string | undefined {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier);
    return target.startsWith(`${own.folder}/`) ? undefined : `${own.name} must not import by path ${target}`;
  }
  const named = packageNamed(specifier, packages);
  if (named === undefined || named === own) return undefined;
  if (named.name === TEST_SUPPORT ? !isTest(path) : !own.dependencies.has(named.name))
    return `${own.name} must not import ${specifier}`;
  const target = targetOf(path, specifier, packages);
  return target === undefined ? `${named.name} does not export ${specifier}` : undefined;
}
