import { test } from 'node:test';
import { Binary, BSONRegExp, Decimal128, Double, Long } from 'bson';
import { assertRefused, assertValues } from '../testing/expressions.ts';

const dec = (text: string) => Decimal128.fromString(text);
const failing = { $divide: [1, 0] };
// biome-ignore lint/suspicious/noThenProperty: the server's name of the argument
const taken = [{ case: true, then: 1 }];

test('evaluates constants before any document, or after everything that is not constant', () => {
  assertValues([
    [{ $or: [{ $divide: [1, '$x'] }, true] }, { x: 0 }, true],
    [{ $and: [{ $divide: [1, '$x'] }, 0] }, { x: 0 }, false],
    [{ $setUnion: ['x', '$gone'] }, {}, null],
    [{ $setIntersection: ['x', '$gone'] }, {}, null],
    [{ $switch: { branches: taken, default: { $divide: ['$x', 0] } } }, { x: 1 }, 1],
    [
      { $dateTrunc: { date: new Date(86_400_001), unit: 'day', startOfWeek: null } },
      {},
      new Date(86_400_000),
    ],
    [{ $dateTrunc: { date: '$d', unit: 'day', startOfWeek: null } }, { d: new Date(1) }, null],
  ]);
  assertRefused([
    [{ $switch: { branches: taken, default: failing } }, {}, 2],
    [{ $convert: { input: '1', to: 'int', onError: failing } }, {}, 2],
    [{ $convert: { input: '1', to: 'int', onNull: failing } }, {}, 2],
    [{ $setUnion: ['x', null] }, {}, 17043],
    [{ $unsetField: { field: '$price', input: { $price: 1 } } }, {}, 168],
    [{ $setField: { field: {}, input: {}, value: 1 } }, {}, 4161107],
    [{ $let: { vars: [1], in: 1 } }, {}, 9],
    [{ $substrCP: ['x', -1, -1] }, {}, 34454],
    [{ $dateAdd: { startDate: new Date(0), unit: 1, amount: 1 } }, {}, 5439013],
  ]);
});

test('rounds and pads decimals as the server does', () => {
  assertValues([
    [{ $sigmoid: dec('1') }, {}, dec('0.7310585786300048792511592418218362')],
    [{ $pow: [2, dec('3')] }, {}, dec('8.000000000000000000000000000000000')],
    [{ $pow: [dec('-0'), 3] }, {}, dec('0E-6176')],
    [{ $pow: [dec('-Infinity'), -1] }, {}, dec('0E-6176')],
    [{ $pow: [1, dec('5')] }, {}, dec('1')],
    [{ $exp: dec('1E-6143') }, {}, dec('1')],
    [{ $exp: dec('-Infinity') }, {}, dec('0')],
    [{ $ln: dec('2.718281828459045') }, {}, dec('0.9999999999999999134157889710887611')],
    [
      { $ln: dec('9.999999999999999999999999999999999E+6144') },
      {},
      dec('14149.38539644841072829055748903542'),
    ],
    [{ $ln: dec('1E-6176') }, {}, dec('-14220.76553433122614449511522413063')],
    [{ $ln: dec('1.000000000000000000000000000001') }, {}, dec('9.999999999999999999999999999995000E-31')],
    [{ $ln: dec('1') }, {}, dec('0')],
    [{ $log: [dec('64'), 2] }, {}, dec('5.999999999999999999999999999999999')],
    [{ $log10: dec('9.999999999999999999999999999999999E+6144') }, {}, dec('6145')],
    [{ $ceil: dec('Infinity') }, {}, dec('NaN')],
    [{ $floor: dec('-Infinity') }, {}, dec('NaN')],
    [{ $trunc: dec('Infinity') }, {}, dec('Infinity')],
    [{ $trunc: [5.6, '$gone'] }, {}, null],
    [{ $add: [1.5, dec('2.5')] }, {}, dec('4.00000000000000')],
    [{ $subtract: [new Date(0), new Double(-2.5)] }, {}, new Date(3)],
  ]);
});

test('rejects conversions without a text representation', () => {
  assertValues([
    [{ $toString: new Double(1e16) }, {}, '1e+16'],
    [{ $toString: new Double(9e-5) }, {}, '9e-05'],
    [{ $toString: new Double(123456789012345.0) }, {}, '123456789012345'],
    [{ $convert: { input: '\u20002024-06-15', to: 'date', onError: 'caught' } }, {}, 'caught'],
    [{ $convert: { input: 42, to: 'string', format: null } }, {}, '42'],
  ]);
  assertRefused([
    [{ $toString: { $toDate: Long.fromString('253402300800000') } }, {}, 18537],
    [{ $convert: { input: 'eA==', to: 'binData', format: 'auto' } }, {}, 241],
    [{ $convert: { input: 'eA==', to: 'binData', format: null } }, {}, 4341115],
    [{ $convert: { input: 1, to: { type: 'binData', subtype: null } } }, {}, 4341108],
    [{ $convert: { input: 1, to: 0 } }, {}, 241],
    [{ $toString: new Binary(new Uint8Array(12 * 2 ** 20)) }, {}, 241],
    [{ $regexMatch: { input: 'abc', regex: '(?<=a+)b' } }, {}, 51111],
  ]);
  assertValues([
    [{ $regexMatch: { input: '\u0661', regex: '(*UTF)(*UCP)^\\d$' } }, {}, true],
    [{ $regexMatch: { input: '\u0661', regex: '^\\d$' } }, {}, false],
    [{ $regexMatch: { input: 'Öyster', regex: '(*UCP)\\byster' } }, {}, false],
    [{ $regexMatch: { input: 'Öyster', regex: '\\byster' } }, {}, true],
    [{ $regexMatch: { input: 'é', regex: '(*UCP)[[:alpha:]]' } }, {}, true],
    [{ $regexMatch: { input: 'é', regex: '(*UCP)\\W' } }, {}, false],
  ]);
  assertValues([[{ $regexMatch: { input: 'aab', regex: new BSONRegExp('(?<=a{2})b') } }, {}, true]]);
});
