import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hook, open } from '../lifecycle/testing.ts';
import type { AlertConfiguration } from './schema.ts';
import { checkWeight, MAX_WEIGHT, NOTIFICATION_WEIGHT, PATTERN_WEIGHT, weightOf } from './weight.ts';

const documentOf = (matchers: NonNullable<AlertConfiguration['matchers']>, count = 0) => {
  const notification = { ...hook('a', 0, 5), notifierId: 'a' };
  return { matchers, notifications: Array.from({ length: count }, () => notification) };
};

test('notifications, patterns and secrets make a configuration heavier', () => {
  const matcher = (operator: 'EQUALS' | 'REGEX', value: string) => ({
    fieldName: 'HOSTNAME',
    operator,
    value,
  });
  const weight = (...given: Parameters<typeof documentOf>) =>
    weightOf({ document: documentOf(...given), secrets: undefined });
  const text = JSON.stringify(documentOf([], 3)).length;
  assert.equal(weight([], 3), text + 3 * NOTIFICATION_WEIGHT);
  assert.equal(weightOf({ document: documentOf([], 3), secrets: Buffer.alloc(7) }), weight([], 3) + 7);
  const more = (pattern: string) =>
    weight([matcher('REGEX', pattern)]) - weight([matcher('EQUALS', pattern)]);
  // The names of the operators `EQUALS` and `REGEX` differ in length by one character.
  assert.equal(more('abc') + 1, 3 * PATTERN_WEIGHT);
  assert.equal(more('a{500}') + 1, 506 * PATTERN_WEIGHT);
  assert.equal(more('\\pL') + 1, 53 * PATTERN_WEIGHT);
});

test('a configuration may become lighter, but not heavier, if a project has reached the limit', () => {
  const others = MAX_WEIGHT;
  const isTooLarge = { code: 'ALERT_CONFIGS_TOO_LARGE' };
  checkWeight(MAX_WEIGHT, { others: 0, former: 0 });
  assert.throws(() => checkWeight(MAX_WEIGHT + 1, { others: 0, former: 0 }), isTooLarge);
  checkWeight(9, { others, former: 10 });
  assert.throws(() => checkWeight(11, { others, former: 10 }), isTooLarge);
});

test('the configurations of a project have a limited weight', async (t) => {
  const { configure } = await open(t);
  const largest = Array.from({ length: 50 }, (_, place) => hook(`${place}/${'a'.repeat(2000)}`, 0, 60));
  let count = 0;
  const fill = async () => {
    for (; ; count++) await configure(largest);
  };
  await assert.rejects(fill(), { code: 'ALERT_CONFIGS_TOO_LARGE' });
  assert.ok(count > 5 && count < MAX_WEIGHT / (50 * NOTIFICATION_WEIGHT), `${count} configurations`);
  await configure([hook('small', 0, 60)]);
});

test('a finding with many configurations, and its end, let other requests be served in between', async (t) => {
  const { configure, report } = await open(t);
  for (let count = 0; count < 30; count++)
    await configure(Array.from({ length: 20 }, (_, place) => hook(`${count}-${place}`, 0, 60)));
  for (const holds of [true, false]) {
    let turns = 0;
    let isEnded = false;
    const count = () => {
      turns++;
      if (!isEnded) setImmediate(count);
    };
    setImmediate(count);
    await report(holds);
    isEnded = true;
    assert.ok(turns >= 10, `${turns} turns`);
  }
});
