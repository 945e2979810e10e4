import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationsIn } from './family.ts';
import { loadFamilies } from './load.ts';
import { extension, operation } from './services.ts';

const rules = { summary: 'Returns it.', access: 'any caller', status: 200, handler: async () => {} } as const;
const groups = { tag: 'Projects', path: '/groups' } as const;

test('all operations of a file are collected, by path and method, extensions last', () => {
  const file = {
    askHarbour: extension({ id: 'askHarbour', tag: 'Harbour', method: 'GET', path: '/harbour', ...rules }),
    createProject: operation({ id: 'createProject', method: 'POST', ...groups, ...rules }),
  };
  const other = { listProjects: operation({ id: 'listProjects', method: 'GET', ...groups, ...rules }) };
  assert.deepEqual(
    operationsIn(file, other).map(({ id }) => id),
    ['listProjects', 'createProject', 'askHarbour'],
  );
  // @ts-expect-error: files of operations export nothing else.
  assert.equal(operationsIn({ helper: () => {} }).length, 1);
});

test('each operation exported by a file of a family belongs to the family', async () => {
  const families = await loadFamilies();
  const gathered = new Set(families.flatMap((family) => family.operations));
  const exported = (await Promise.all(filesOfFamilies().map(operationsOf))).flat();
  assert.deepEqual(
    exported.filter(({ operation }) => !gathered.has(operation as never)).map(({ place }) => place),
    [],
  );
  assert.equal(exported.length, gathered.size);
});

function filesOfFamilies(): string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[\\/].*(?<!\.test)\.ts$/.test(path) && !path.endsWith('testing.ts'))
    .filter((path) =>
      /= (operation|extension)\(/.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
    );
}

async function operationsOf(path: string) {
  const module: object = await import(join(import.meta.dirname, path));
  return Object.entries(module)
    .filter(([, value]) => typeof value === 'object' && value !== null && 'handler' in value)
    .map(([name, value]) => ({ place: `${path}: ${name}`, operation: value as unknown }));
}
