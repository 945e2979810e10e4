import { test } from 'node:test';
import { Decimal128, Double, Long } from 'bson';
import { assertRefused, assertValues } from '../testing/expressions.ts';

const dec = (text: string) => Decimal128.fromString(text);
const long = (text: string) => Long.fromString(text);
const at = (text: string) => new Date(text);

test('gives results the wider type of the arguments', () => {
  assertValues([
    [{ $add: ['$a', 2] }, { a: 1 }, 3],
    [{ $add: ['$a', 1] }, { a: 2147483647 }, long('2147483648')],
    [{ $add: ['$a', 0.5] }, { a: 1 }, 1.5],
    [{ $add: ['$a', dec('0.5')] }, { a: 1 }, dec('1.5')],
    [{ $add: [] }, {}, 0],
    [{ $subtract: ['$a', 5] }, { a: 3 }, -2],
    [{ $subtract: ['$a', dec('1.10')] }, { a: dec('2.2') }, dec('1.10')],
    [{ $multiply: ['$a', 2] }, { a: 2147483647 }, long('4294967294')],
    [{ $multiply: ['$a', '$a'] }, { a: long('9223372036854775807') }, new Double(2 ** 126)],
    [{ $multiply: ['$a', dec('1.5')] }, { a: 3 }, dec('4.5')],
    [{ $divide: ['$a', 2] }, { a: 4 }, new Double(2)],
    [{ $divide: ['$a', dec('3')] }, { a: 1 }, dec('0.3333333333333333333333333333333333')],
    [{ $divide: ['$a', dec('4')] }, { a: 1 }, dec('0.25')],
    [{ $mod: ['$a', 3] }, { a: -7 }, -1],
    [{ $mod: ['$a', dec('0.3')] }, { a: 1 }, dec('0.1')],
    // The logarithm of NaN is a double.
    [{ $ln: '$a' }, { a: dec('NaN') }, Number.NaN],
    [{ $log10: '$a' }, { a: dec('NaN') }, Number.NaN],
    [{ $log: ['$a', 2] }, { a: dec('NaN') }, Number.NaN],
  ]);
});

test('adds milliseconds to dates and subtracts dates to a long', () => {
  const a = at('2024-01-01T00:00:00Z');
  assertValues([
    [{ $add: ['$a', 1500] }, { a }, at('2024-01-01T00:00:01.500Z')],
    [{ $subtract: ['$a', 1] }, { a }, at('2023-12-31T23:59:59.999Z')],
    [{ $subtract: ['$a', at('2023-12-31T00:00:00Z')] }, { a }, Long.fromNumber(86400000)],
  ]);
});

test('returns null for null and missing, and rejects other types', () => {
  assertValues([
    [{ $add: [1, '$gone'] }, {}, null],
    [{ $mod: ['$a', 2] }, { a: null }, null],
    [{ $sqrt: '$gone' }, {}, null],
  ]);
  assertRefused([
    [{ $add: ['$a', 1] }, { a: 'x' }, 14],
    [{ $add: ['$a', '$a'] }, { a: at('2024-01-01T00:00:00Z') }, 16612],
    [{ $subtract: ['$a', 1] }, { a: 'x' }, 14],
    [{ $subtract: [1] }, {}, 16020],
    [{ $divide: ['$a', 0] }, { a: 1 }, 2],
    [{ $mod: ['$a', 0] }, { a: 1 }, 16610],
    [{ $abs: '$a' }, { a: 'x' }, 28765],
    [{ $bitNot: '$a' }, { a: 'x' }, 28765],
    [{ $bitNot: '$a' }, { a: 1.5 }, 14],
    [{ $sqrt: '$a' }, { a: -1 }, 28714],
    [{ $ln: '$a' }, { a: 0 }, 28766],
    [{ $log: ['$a', 1] }, { a: 2 }, 28759],
    [{ $pow: ['$a', -1] }, { a: 0 }, 28764],
    [{ $trunc: ['$a', 101] }, { a: 1 }, 51083],
    [{ $round: [1, 2, 3] }, {}, 28667],
  ]);
});

test('evaluates numeric functions', () => {
  assertValues([
    [{ $abs: '$a' }, { a: -2147483648 }, long('2147483648')],
    [{ $ceil: '$a' }, { a: 1.2 }, new Double(2)],
    [{ $floor: '$a' }, { a: dec('-1.5') }, dec('-2')],
    [{ $pow: ['$a', 3] }, { a: 2 }, 8],
    [{ $pow: ['$a', -1] }, { a: 2 }, 0.5],
    [{ $pow: ['$a', 64] }, { a: 2 }, new Double(2 ** 64)],
    [{ $sqrt: '$a' }, { a: dec('2') }, dec('1.414213562373095048801688724209698')],
    [{ $exp: '$a' }, { a: dec('1') }, dec('2.718281828459045235360287471352662')],
    [{ $ln: '$a' }, { a: dec('10') }, dec('2.302585092994045684017991454684364')],
    [{ $log10: '$a' }, { a: dec('1000') }, dec('3')],
    [{ $sin: '$a' }, { a: dec('1') }, dec('0.8414709848078965066525023216302990')],
    [{ $atan: '$a' }, { a: dec('1') }, dec('0.7853981633974483096156608458198757')],
    [{ $bitAnd: ['$a', 6] }, { a: long('3') }, long('2')],
    [{ $bitNot: '$a' }, { a: 0 }, -1],
  ]);
});

test('rounds numbers to places, ties to even', () => {
  assertValues([
    [{ $round: '$a' }, { a: 2.5 }, new Double(2)],
    [{ $round: ['$a', 1] }, { a: 1.25 }, 1.2],
    [{ $round: ['$a', -1] }, { a: 25 }, 20],
    [{ $round: ['$a', 2] }, { a: dec('1.005') }, dec('1.00')],
    [{ $trunc: ['$a', 1] }, { a: -1.29 }, -1.2],
    [{ $trunc: ['$a', -2] }, { a: 1234 }, 1200],
  ]);
});
