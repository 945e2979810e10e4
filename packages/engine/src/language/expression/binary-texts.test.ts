import { test } from 'node:test';
import { assertValues } from '../testing/expressions.ts';

const sizeOf = (format: string) => ({
  $binarySize: { $convert: { input: '$a', to: { type: 'binData', subtype: 0 }, format, onError: null } },
});

test('a long text is converted to binary data', () => {
  assertValues([
    [sizeOf('base64'), { a: 'A'.repeat(14_000_000) }, 10_500_000],
    [sizeOf('base64url'), { a: `${'_-'.repeat(6_000_000)}_-` }, 9_000_001],
    [sizeOf('hex'), { a: 'fF'.repeat(7_000_000) }, 7_000_000],
    [sizeOf('base64'), { a: `${'A'.repeat(14_000_000)}!` }, null],
    [sizeOf('base64'), { a: '='.repeat(14_000_000) }, null],
  ]);
});

test('base64 must be padded, and base64url may be', () => {
  const sizes = (a: string) => ['base64', 'base64url'].map((format) => [sizeOf(format), { a }] as const);
  const expected: ReadonlyArray<readonly [string, number | null, number | null]> = [
    ['', 0, 0],
    ['QQ==', 1, 1],
    ['QUE=', 2, 2],
    ['QUFB', 3, 3],
    ['QQ', null, 1],
    ['QUE', null, 2],
    ['Q', null, null],
    ['Q===', null, null],
    ['QQ=', null, null],
    ['QUFB====', null, null],
    ['QU=B', null, null],
    ['=', null, null],
  ];
  assertValues(
    expected.flatMap(([a, ...values]) => sizes(a).map((call, i) => [...call, values[i]] as const)),
  );
});
