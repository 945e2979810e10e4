import { test } from 'node:test';
import { BSONRegExp } from 'bson';
import { assertRefused, assertValues } from '../testing/expressions.ts';

const regex = (pattern: string, flags = '') => new BSONRegExp(pattern, flags);

test('measures texts in bytes and code points', () => {
  const s = 'aé😀b';
  assertValues([
    [{ $strLenBytes: '$s' }, { s }, 8],
    [{ $strLenCP: '$s' }, { s }, 4],
    [{ $substrBytes: ['$s', 1, 2] }, { s }, 'é'],
    [{ $substrCP: ['$s', 2, 5] }, { s }, '😀b'],
    [{ $indexOfBytes: ['$s', 'b'] }, { s }, 7],
    [{ $indexOfCP: ['$s', 'b'] }, { s }, 3],
    [{ $indexOfCP: ['$s', 'b', 0, 3] }, { s }, -1],
  ]);
  assertRefused([
    [{ $substrBytes: ['$s', 2, 1] }, { s }, 28656],
    [{ $substrBytes: ['$s', 0, 2] }, { s }, 28657],
    [{ $substrCP: ['$s', -1, 2] }, { s }, 34455],
    [{ $strLenCP: '$gone' }, {}, 34471],
  ]);
});

test('concatenates texts and replaces millions of occurrences within the memory of a document', () => {
  const s = 'a'.repeat(8 << 20);
  assertRefused([[{ $replaceAll: { input: '$s', find: 'a', replacement: 'aa' } }, { s }, 16493]]);
  assertValues([[{ $replaceAll: { input: '$s', find: 'a', replacement: 'b' } }, { s }, 'b'.repeat(8 << 20)]]);
  // All replacements together would be longer than any string.
  assertRefused([
    [
      { $replaceAll: { input: '$s', find: 'a', replacement: '$by' } },
      { s: 'a'.repeat(4_096), by: 'b'.repeat(1 << 20) },
      16493,
    ],
  ]);
  assertRefused([[{ $concat: Array(400).fill('$s') }, { s: 'x'.repeat(2 << 20) }, 16493]]);
  assertRefused([[{ $replaceAll: { input: 'x', find: regex('x'), replacement: '' } }, {}, 10503901]]);
});

test('concatenates, splits and changes texts', () => {
  assertValues([
    [{ $concat: ['$s', '!'] }, { s: 'x' }, 'x!'],
    [{ $concat: ['$s', '$gone'] }, { s: 'x' }, null],
    [{ $split: ['$s', ','] }, { s: 'a,b,' }, ['a', 'b', '']],
    [{ $toUpper: '$s' }, { s: 'aé' }, 'Aé'],
    [{ $toLower: '$gone' }, {}, ''],
    [{ $strcasecmp: ['$s', 'ABD'] }, { s: 'abc' }, -1],
    [{ $trim: { input: '$s' } }, { s: '\n x\u00a0' }, 'x'],
    [{ $ltrim: { input: '$s', chars: 'ab' } }, { s: 'bacab' }, 'cab'],
    [{ $replaceAll: { input: '$s', find: 'a', replacement: 'b' } }, { s: 'aca' }, 'bcb'],
    [{ $replaceOne: { input: '$s', find: 'a', replacement: '' } }, { s: 'aca' }, 'ca'],
  ]);
  assertRefused([
    [{ $concat: ['$s', 1] }, { s: 'x' }, 16702],
    [{ $split: ['$s', ''] }, { s: 'x' }, 40087],
    [{ $split: ['$s', regex('[,;]')] }, { s: 'a,b;c' }, 10503900],
    [{ $trim: { input: 1 } }, {}, 50699],
    [{ $replaceOne: { input: '$s', find: 1, replacement: '' } }, { s: 'x' }, 10503901],
  ]);
});

test('matches regular expressions by code points', () => {
  assertValues([
    [{ $regexMatch: { input: '$s', regex: '^A', options: 'i' } }, { s: 'abc' }, true],
    [
      { $regexFind: { input: '$s', regex: '(b)(x)?' } },
      { s: '😀b' },
      { match: 'b', idx: 1, captures: ['b', null] },
    ],
    [{ $regexFindAll: { input: '$s', regex: regex('a') } }, { s: 'xx' }, []],
    [{ $regexFind: { input: '$gone', regex: 'a' } }, {}, null],
  ]);
  assertRefused([
    [{ $regexMatch: { input: '$s', regex: '(' } }, { s: 'x' }, 51111],
    [{ $regexMatch: { input: '$s', regex: 'x', options: 'q' } }, { s: 'x' }, 51108],
    [{ $regexMatch: { input: '$s', regex: regex('x', 'i'), options: 'i' } }, { s: 'x' }, 51107],
    [{ $regexMatch: { input: 1, regex: 'x' } }, {}, 51104],
    [{ $regexMatch: { regex: 'x' } }, {}, 31022],
  ]);
});
