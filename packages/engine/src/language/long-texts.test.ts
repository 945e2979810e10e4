import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCollation } from '../bson/collation/index.ts';
import { RawDocument } from '../bson/raw.ts';
import { textOf } from '../bson/value.ts';
import { noEnvironment } from './environment.ts';
import { compileExpression } from './expression/compile.ts';
import { parseDecimal, parseDouble } from './expression/number-text.ts';
import { parseDate } from './time/parse.ts';
import { zoneOf } from './time/zone.ts';

/** At this length, quadratic work takes more than a minute, and linear work some milliseconds. */
const LENGTH = 400_000;
const MAX_MS = 10_000;

const collated = (locale: string) => readCollation(RawDocument.from({ locale }));

/** Each function must read its text in linear time, because nothing interrupts it. */
const cases: Readonly<Record<string, () => unknown>> = {
  'a date with zeros in the middle': () => parseDate(`2${'\0'.repeat(LENGTH)}2`),
  'a double of many digits': () => parseDouble(`${'0'.repeat(LENGTH)}x`),
  'a double of many hexadecimal digits': () => parseDouble(`0X${'a'.repeat(LENGTH)}g`),
  'a decimal of many digits': () => parseDecimal(`${'0'.repeat(LENGTH)}x`),
  'a locale of many @': () => collated(`${'@'.repeat(LENGTH)}\n`),
  'a locale of many _': () => collated(`${'_'.repeat(LENGTH)}\n`),
  'a locale with a long collation': () => collated(`de@collation=${'a'.repeat(LENGTH)}`),
  'a long time zone': () => {
    if (zoneOf('A'.repeat(LENGTH)) === undefined) throw new Error();
  },
};

it('texts of 10 MB are converted from base64 and hexadecimal digits', () => {
  for (const [format, digits] of [
    ['base64', 'aaaa'],
    ['base64url', 'aa-_'],
    ['hex', 'aaaa'],
  ]) {
    const input = (digits as string).repeat(2_500_000);
    const conversion = { $convert: { input: '$t', to: { type: 'binData' }, format } };
    const operand = RawDocument.from({ r: { $type: conversion } }).first();
    const result = compileExpression(operand ?? assert.fail(), noEnvironment).evaluate({
      root: RawDocument.from({ t: input }),
    });
    assert.equal(textOf(result ?? assert.fail()), 'binData', format);
  }
});

for (const [name, read] of Object.entries(cases)) {
  it(`${name} is refused in linear time`, () => {
    const before = process.threadCpuUsage();
    assert.throws(read);
    const { user } = process.threadCpuUsage(before);
    assert.ok(user < MAX_MS * 1_000, `${user} µs`);
  });
}
