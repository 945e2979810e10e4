import type { Document } from 'bson';
import { ServerError } from '../errors/server-error.ts';

/** The mode of a fail point. It determines at which matches the fail point takes effect. */
export interface FailPointMode {
  /** Number of matches without an effect before the first effect. */
  readonly skip: number;
  /** Maximum number of matches with an effect. */
  readonly times: number;
  /** Probability of an effect at each match, from 0 to 1. */
  readonly probability: number;
}

const always: FailPointMode = { skip: 0, times: Number.POSITIVE_INFINITY, probability: 1 };
const MAX_INT32 = 0x7fffffff;

/** Parses the option `mode`. Returns undefined for `off`. */
export function modeOf(mode: unknown): FailPointMode | undefined {
  if (mode === undefined) {
    throw new ServerError('IllegalOperation', "When setting a failpoint, you must supply a 'mode'");
  }
  if (mode === 'off') return undefined;
  if (mode === 'alwaysOn') return always;
  if (typeof mode === 'string') throw new ServerError('BadValue', `unknown mode: ${mode}`);
  if (typeof mode !== 'object' || mode === null) {
    throw new ServerError('TypeMismatch', "'mode' must be a string or JSON object");
  }
  return turnsOf(mode);
}

function turnsOf(mode: Document): FailPointMode | undefined {
  const { times, skip, activationProbability: probability } = mode;
  if (times !== undefined) {
    const counted = count('times', times);
    return counted === 0 ? undefined : { ...always, times: counted };
  }
  if (skip !== undefined) return { ...always, skip: count('skip', skip) };
  if (probability === undefined) {
    const text =
      "'mode' must be one of 'off', 'alwaysOn', '{times:n}', '{skip:n}' or '{activationProbability:p}'";
    throw new ServerError('BadValue', text);
  }
  if (typeof probability !== 'number') {
    const text = "the 'activationProbability' option to 'mode' must be a double between 0 and 1";
    throw new ServerError('TypeMismatch', text);
  }
  if (probability >= 0 && probability <= 1) return { ...always, probability };
  throw new ServerError(
    'BadValue',
    `activationProbability must be between 0.0 and 1.0; found ${probability}`,
  );
}

function count(option: 'skip' | 'times', value: unknown): number {
  if (typeof value !== 'number') {
    throw new ServerError('TypeMismatch', `Expected field "${option}" to have numeric type`);
  }
  if (value < 0) throw new ServerError('BadValue', `'${option}' option to 'mode' must be positive`);
  if (value > MAX_INT32) throw new ServerError('BadValue', `'${option}' option to 'mode' is too large`);
  return Math.trunc(value);
}
