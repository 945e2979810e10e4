import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCollation } from '../bson/collation/index.ts';
import { RawDocument } from '../bson/raw.ts';
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

for (const [name, read] of Object.entries(cases)) {
  it(`${name} is refused in linear time`, () => {
    const before = process.threadCpuUsage();
    assert.throws(read);
    const { user } = process.threadCpuUsage(before);
    assert.ok(user < MAX_MS * 1_000, `${user} µs`);
  });
}
