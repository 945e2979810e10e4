import { type Element, textOf } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/** Normalizes the scores of one pipeline to a common range. */
export type Normalize = (scores: readonly number[]) => readonly number[];

const normalizations: ReadonlyMap<string, Normalize> = new Map<string, Normalize>([
  ['none', (scores) => scores],
  ['sigmoid', (scores) => scores.map((score) => 1 / (1 + Math.exp(-score)))],
  ['minMaxScaler', scaled],
]);

/** Scales scores linearly to the range 0 to 1. If all scores are equal, all become 0. */
function scaled(scores: readonly number[]): readonly number[] {
  const least = scores.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const width = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - least;
  return scores.map((score) => (width === 0 ? 0 : (score - least) / width));
}

/** Reads the option for normalization. `path` names the option in error messages. */
export function readNormalization(option: Element | undefined, path: string): Normalize {
  const name = option === undefined ? 'none' : textOf(option);
  return normalizations.get(name) ?? refuseValue(name, path);
}

/** Throws the error for an unknown value of an enumeration. */
export function refuseValue(value: string, path: string): never {
  throw new ServerError('BadValue', `Enumeration value '${value}' for field '${path}' is not a valid value.`);
}
