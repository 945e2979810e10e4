import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Files, projectWith, writeFiles } from './testing.ts';

/** A small project that passes all checks. Its scripts are formatted already, and its dependencies are a link. */
const settings: Files = {
  'package-lock.json': '{}\n',
  'biome.json': '{ "files": { "includes": ["packages/**/*.ts"] } }\n',
  'knip.json': '{ "entry": ["packages/**/*.ts"], "project": ["packages/**/*.ts"] }\n',
  'tsconfig.json': {
    compilerOptions: { strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
    include: ['packages'],
  },
  'tsconfig.library-portolan.json': { compilerOptions: { types: [] }, files: ['library.ts'] },
  'library.ts': 'export {};\n',
};

function check(root: string) {
  // Replace the script, since the small project lacks the documents that the real one checks.
  writeFiles(root, { 'scripts/docs.ts': '' });
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts/check.ts')], {
    encoding: 'utf8',
  });
  return { status, stdout };
}

test('prints a line for each part, and exits with 0 if there are no findings', (t) => {
  const root = projectWith(t, { ...settings, 'packages/portolan/src/main.ts': 'export const a = 1;\n' });
  const { status, stdout } = check(root);
  const parts = [...stdout.matchAll(/^ok +(\w+) +\d+\.\d s$/gm)].map(([, part]) => part);
  assert.deepEqual(parts.toSorted(), [
    'documents',
    'engines',
    'faults',
    'imports',
    'leftovers',
    'limits',
    'lock',
    'manifests',
    'paths',
    'seams',
    'sql',
    'style',
    'syntax',
    'types',
    'unused',
    'words',
  ]);
  assert.match(stdout, /\ncheck passed: 16 parts\n$/);
  assert.equal(status, 0);
});

test('prints findings below the line of their part, and exits with 1', (t) => {
  const source = 'import "../api/edge.ts";\n\nexport const a: string = 1;\n';
  const root = projectWith(t, {
    ...settings,
    'packages/service/src/api/edge.ts': '// Nothing.\nexport {};\n',
    'packages/service/src/store/a.ts': source,
  });
  const { status, stdout } = check(root);
  assert.match(
    stdout,
    /^FAIL +imports .+ 1 found\n +packages\/service\/src\/store\/a\.ts:1 {2}service store must not import packages\/service\/src\/api\/edge\.ts$/m,
  );
  assert.match(stdout, /^FAIL +types .+ 1 found\n +packages\/service\/src\/store\/a\.ts:3 {2}TS2322: /m);
  assert.match(stdout, /\ncheck failed: 2 found in 2 parts\n$/);
  assert.equal(status, 1);
});
