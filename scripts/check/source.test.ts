import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSource } from './source.ts';

test('every form of import is found with its line', () => {
  const text = [
    "import a, { type B } from './a.ts';",
    "import type C from './c.ts';",
    "import type * as d from './d.ts';",
    "export type { E } from './e.ts';",
    "export * from './f.ts';",
    'export type G = string;',
    "const h = await import('./h.ts');",
    "let i: import('./i.ts').I;",
    'export type { G };',
  ].join('\n');
  const { imports } = parseSource('src/x.ts', text);
  const seen = imports.map(({ specifier, line }) => `${line} ${specifier}`).toSorted();
  assert.deepEqual(seen, [
    '1 ./a.ts',
    '2 ./c.ts',
    '3 ./d.ts',
    '4 ./e.ts',
    '5 ./f.ts',
    '7 ./h.ts',
    '8 ./i.ts',
  ]);
});

test('a CommonJS file imports what it requires', () => {
  const { imports } = parseSource(
    'scripts/x.cjs',
    "const fs = require('fs');\nif (fs) return;".replace('return', 'throw 1'),
  );
  assert.deepEqual(imports, [{ specifier: 'fs', line: 1 }]);
});

test('the length of a function with a block body includes its signature and nested functions', () => {
  const text = [
    'export function outer(',
    '  a: number,',
    '): number {',
    '  const inner = () => {',
    '    return a;',
    '  };',
    '  const short = () => a;',
    '  return inner() + short();',
    '}',
  ].join('\n');
  const { functions } = parseSource('src/x.ts', text);
  assert.deepEqual(functions, [
    { name: 'outer', line: 1, lines: 9 },
    { name: 'function', line: 4, lines: 3 },
  ]);
});

test('text that is not TypeScript is rejected', () => {
  assert.throws(() => parseSource('src/x.ts', 'const = 1;'), SyntaxError);
});
