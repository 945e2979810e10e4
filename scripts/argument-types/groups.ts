import { type Outcome, WAITS } from './run.ts';
import { type Sample, samples } from './values.ts';

/** Names for sets of sample values, short enough for a reviewer to read. */

const types = [...new Set(samples.map(({ type }) => type))];
const numbers = samples.filter(({ number }) => number !== undefined);
const numberLabels = [...new Set(numbers.map(({ label }) => label))];

/** A name such as `numbers except NaN, string, bool true`. */
function nameOf(group: ReadonlySet<Sample>): string {
  if (group.size === samples.length) return 'all';
  const others = types.filter((type) => !numbers.some((number) => number.type === type));
  return [...numbersOf(group), ...others.flatMap((type) => ofType(type, group))].join(', ');
}

function ofType(type: string, group: ReadonlySet<Sample>): string[] {
  const all = samples.filter((sample) => sample.type === type);
  const found = all.filter((sample) => group.has(sample));
  if (found.length === 0) return [];
  return [found.length === all.length ? type : `${type} ${found.map(({ label }) => label).join(' ')}`];
}

/** Names the numbers of a group: by value if all their types are treated alike, otherwise by type. */
function numbersOf(group: ReadonlySet<Sample>): string[] {
  const found = numbers.filter((sample) => group.has(sample));
  if (found.length === numbers.length) return ['numbers'];
  const whole = [...new Set(found.map(({ type }) => type))].filter((type) =>
    numbers.every((sample) => sample.type !== type || group.has(sample)),
  );
  if (found.every(({ type }) => whole.includes(type))) return whole;
  const agreed = numberLabels.filter((label) =>
    numbers.every((one) => one.label !== label || group.has(one)),
  );
  const rest = found.filter(({ label }) => !agreed.includes(label));
  const missing = numberLabels.filter((label) => !agreed.includes(label));
  const byValue =
    agreed.length === 0
      ? []
      : missing.length < agreed.length
        ? [`numbers except ${missing.join(' ')}`]
        : [`numbers ${agreed.join(' ')}`];
  return [...byValue, ...types.flatMap((type) => ofType(type, new Set(rest)))];
}

export interface Answers {
  readonly accepted: string;
  /**
   * The error codes with the values that cause them. The most frequent code has no values, since it applies to all
   * other values.
   */
  readonly refused: string;
}

export function answersOf(outcome: Outcome): Answers {
  const groups = Map.groupBy(samples, (_, i) => outcome[i] as number);
  const accepted = groups.get(0);
  groups.delete(0);
  const [most, ...rest] = [...groups].toSorted(
    ([a, left], [b, right]) => typesIn(right) - typesIn(left) || right.length - left.length || a - b,
  );
  const text = ([code, group]: [number, Sample[]]) => `${codeText(code)}: ${nameOf(new Set(group))}`;
  return {
    accepted: accepted === undefined ? '' : nameOf(new Set(accepted)),
    refused:
      most === undefined
        ? ''
        : [...rest.map(text), `${codeText(most[0])}: ${others(most[1], groups.size, accepted)}`].join('; '),
  };
}

const typesIn = (group: readonly Sample[]) => new Set(group.map(({ type }) => type)).size;

function others(group: readonly Sample[], groups: number, accepted: readonly Sample[] | undefined): string {
  return groups === 1 && accepted === undefined
    ? 'all'
    : group.length < 4
      ? nameOf(new Set(group))
      : 'others';
}

function codeText(code: number): string {
  return code === WAITS ? 'waits' : String(code);
}
