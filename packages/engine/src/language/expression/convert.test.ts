import { test } from 'node:test';
import { Decimal128, Double, Long, ObjectId } from 'bson';
import { assertRefused, assertValues } from '../testing/expressions.ts';

test('converts values, or returns onError', () => {
  const to = (input: unknown, type: string, more = {}) => ({ $convert: { input, to: type, ...more } });
  assertValues([
    [{ $toInt: '$a' }, { a: '-12' }, -12],
    [{ $toInt: '$a' }, { a: 1.9 }, 1],
    [{ $toDouble: '$a' }, { a: '1e3' }, new Double(1000)],
    [{ $toDouble: '$a' }, { a: '+0x1.8p1' }, new Double(3)],
    [{ $toDouble: '$a' }, { a: '-0XFF' }, new Double(-255)],
    [{ $toDouble: '$a' }, { a: '0X1P0' }, new Double(1)],
    [{ $toDouble: '$a' }, { a: '+0x1p-1074' }, new Double(Number.MIN_VALUE)],
    [{ $toDouble: '$a' }, { a: `+0x1.${'0'.repeat(500)}8` }, new Double(1)],
    [
      { $toDouble: '$a' },
      { a: `+0x1000000000000080${'0'.repeat(40)}1p-160` },
      new Double(2 ** 64 + 2 ** 12 + 0),
    ],
    [{ $toLong: '$a' }, { a: `-${'0'.repeat(100)}9223372036854775808` }, Long.MIN_VALUE],
    [{ $toDate: '$a' }, { a: '\x002024-06-15T12:30:45Z\0' }, new Date('2024-06-15T12:30:45Z')],
    [{ $toDecimal: '$a' }, { a: 0.1 }, Decimal128.fromString('0.100000000000000')],
    // Digits beyond 34 are truncated.
    [{ $toDecimal: '$a' }, { a: `1.${'0'.repeat(33)}99` }, Decimal128.fromString(`1.${'0'.repeat(33)}`)],
    [{ $toDecimal: '$a' }, { a: '-19e-6177' }, Decimal128.fromString('-1E-6176')],
    [{ $toString: '$a' }, { a: new Date('2024-03-10T09:30:15.123Z') }, '2024-03-10T09:30:15.123Z'],
    [{ $toString: '$a' }, { a: 1.5 }, '1.5'],
    [{ $toBool: '$a' }, { a: 'false' }, true],
    [{ $toDate: '$a' }, { a: Long.fromNumber(1500) }, new Date(1500)],
    [{ $toObjectId: '$a' }, { a: '000000000000000000000001' }, new ObjectId('000000000000000000000001')],
    [to('$a', 'int', { onError: 'no' }), { a: 'x' }, 'no'],
    [to('$gone', 'int', { onNull: 7 }), {}, 7],
    [{ $type: '$gone' }, {}, 'missing'],
    [{ $isNumber: '$a' }, { a: Long.fromNumber(1) }, true],
  ]);
  assertRefused([
    [{ $toInt: '$a' }, { a: '1.5' }, 241],
    [{ $toDecimal: '$a' }, { a: '9e-6177' }, 241],
    [{ $toInt: '$a' }, { a: '0x1' }, 241],
    [{ $toLong: '$a' }, { a: '9'.repeat(100) }, 241],
    [{ $toDouble: '$a' }, { a: '1e-400' }, 241],
    [{ $toDouble: '$a' }, { a: '0x' }, 241],
    [{ $toInt: '$a' }, { a: 2 ** 31 }, 241],
    [{ $toDate: '$a' }, { a: true }, 241],
    [{ $toInt: [1, 2] }, {}, 50723],
    [to('$a', 'thing'), { a: 1 }, 2],
    [to('$a', 'binData'), { a: 'x' }, 4341115],
  ]);
});

test('reports why a text is not a number', () => {
  const reasons: [string, string, string][] = [
    ['$toInt', '', 'No digits'],
    ['$toLong', '-', 'No digits'],
    ['$toInt', ' 5', 'Did not consume whole string.'],
    ['$toInt', '0XFF', 'Did not consume whole string.'],
    ['$toDouble', '', 'Empty string'],
    ['$toDouble', ' 5', 'Leading whitespace'],
    ['$toDouble', 'x5', 'Did not consume any digits'],
    ['$toDouble', '-', 'Did not consume any digits'],
    ['$toDouble', '5 ', 'Did not consume whole string.'],
    ['$toDecimal', '', 'Empty string'],
    ['$toDecimal', '0XFF', 'Failed to parse string to decimal'],
    ['$toDecimal', 'x', 'Failed to parse string to decimal'],
  ];
  for (const [operator, text, reason] of reasons) {
    const message = `Failed to parse number '${text}' in $convert with no onError value: ${reason}`;
    assertRefused([[{ [operator]: '$a' }, { a: text }, 241, message]]);
  }
});

test('reports why a text is not binary data', () => {
  const uuid = '867dee52-c331-484e-92d1-c56479b8e67e';
  const reasons: [string, number, string, string][] = [
    [uuid, 0, 'base64', 'Input is not a valid base64 string'],
    ['a+b', 0, 'base64url', 'Input is not a valid base64url string'],
    ['abc', 0, 'hex', 'Input is not a valid hex string'],
    ['äöäöä', 4, 'uuid', 'Input is not a valid UUID string'],
    [uuid, 0, 'uuid', "Only the UUID subtype (4) is allowed with the 'uuid' format"],
    ['hn3uUsMxSE6S0cVkebjmfg==', 4, 'base64', "Only the 'uuid' format is allowed with the UUID subtype (4)"],
  ];
  for (const [a, subtype, format, reason] of reasons) {
    const message = `Failed to parse BinData '${a}' in $convert with no onError value: ${reason}.`;
    const $convert = { input: '$a', to: { type: 'binData', subtype }, format };
    assertRefused([[{ $convert }, { a }, 241, message]]);
  }
});

test('texts that begin with 0x are not numbers of any type', () => {
  for (const operator of ['$toInt', '$toLong', '$toDouble', '$toDecimal']) {
    for (const a of ['0x10', '0x1.8p1', '0x']) {
      const message = `Illegal hexadecimal input in $convert with no onError value: ${a}`;
      assertRefused([[{ [operator]: '$a' }, { a }, 241, message]]);
    }
  }
});
