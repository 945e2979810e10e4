import type { Finding } from './finding.ts';
import { lineOf, type Source } from './source.ts';
import { isTest } from './tree.ts';

const DATABASE_PACKAGES = ['kysely', 'pg', 'node:sqlite'];
/**
 * Files that may contain SQL: those of the service's store and families, the engine's storage, and two files that use
 * SQLite for other purposes.
 */
const HOMES = [
  /^packages\/foundation\/src\/(file-lock|trim-memory)\.ts$/,
  /^packages\/service\/src\/store\//,
  /\/(rows|migrations)\.ts$/,
  /^packages\/engine\/src\/(.+\/)?storage\//,
];

/** Allows SQL only in the store, in rows and migrations, and in the engine's storage. */
export function checkSql(sources: readonly Source[]): Finding[] {
  return sources
    .filter(
      ({ path }) => path.startsWith('packages/') && !isTest(path) && !HOMES.some((home) => home.test(path)),
    )
    .flatMap((source) => [...databaseImports(source), ...sqlTags(source)]);
}

function databaseImports({ path, imports }: Source): Finding[] {
  return imports
    .filter(({ specifier }) => DATABASE_PACKAGES.includes(specifier))
    .map(({ specifier, line }) => ({ file: path, line, message: `${specifier} is not for this place` }));
}

function sqlTags({ path, nodes }: Source): Finding[] {
  return nodes
    .filter(({ type, tag }) => type === 'TaggedTemplateExpression' && tag?.name === 'sql')
    .map((node) => ({ file: path, line: lineOf(node), message: 'SQL is not for this place' }));
}
