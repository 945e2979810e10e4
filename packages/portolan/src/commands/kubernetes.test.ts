import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from './kubernetes.ts';

test('wrong arguments of the command say what it takes', () => {
  const refusals: readonly [args: string[], message: string][] = [
    [[], 'portolan kubernetes takes one of manifest; see portolan help'],
    [['install'], 'portolan kubernetes takes one of manifest; see portolan help'],
    [['manifest', '--namespace', 'Harbour'], 'Harbour is not a valid name of a namespace'],
  ];
  for (const [args, message] of refusals) assert.throws(() => kubernetes(args), { message });
});
