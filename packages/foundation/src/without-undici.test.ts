import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';

/** Returns whether a new process has undici in memory after it runs a module with this source. */
const loadsUndici = (source: string): boolean => {
  const print = "console.log(process.moduleLoadList.some((name) => name.endsWith('/undici/undici')));";
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', `${source}\n${print}`];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim() === 'true';
};

const own = JSON.stringify(new URL('./without-undici.ts', import.meta.url).href);

test('without-undici.ts keeps an import of node:http from loading undici, and fetch still loads it', () => {
  assert.equal(loadsUndici("import 'node:http';"), true);
  assert.equal(loadsUndici(`import ${own};\nawait import('node:https');\nawait import('node:http');`), false);
  assert.equal(loadsUndici(`import ${own};\nawait fetch('data:,');`), true);
});

test('the command line starts the service without undici', () => {
  const fileOf = (name: string) =>
    JSON.stringify(new URL(`../../portolan/src/commands/${name}`, import.meta.url).href);
  const imports = `import ${own};\nimport ${fileOf('table.ts')};\nawait import(${fileOf('start.ts')});`;
  assert.equal(loadsUndici(imports), false);
});
