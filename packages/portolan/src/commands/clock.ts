import { ConfigError } from '@portolan/foundation/command-line';
import { type ActionArguments, checkOperands, readArguments } from './arguments.ts';
import { clockActions } from './clock-actions.ts';
import { operatorOf } from './operator.ts';

interface Clock {
  readonly frozen: boolean;
  readonly now: string;
  readonly rate: number;
}

/** `portolan clock …`: shows or changes the service time of a running service. */
export async function clock(args: readonly string[]): Promise<number> {
  refuseBackwards(args);
  const given = readArguments('clock', clockActions, args);
  const change = changeOf(given);
  const operator = await operatorOf(given.dataDirectory);
  const { now, frozen, rate } = await (change === undefined
    ? operator.call<Clock>('GET', '/clock')
    : operator.call<Clock>('PATCH', '/clock', change));
  console.log(`${now} ${frozen ? 'frozen' : `rate ${rate}`}`);
  return 0;
}

/**
 * Throws for a negative duration. Called before the arguments are parsed, since the parser would take such a duration
 * for a flag.
 */
function refuseBackwards(args: readonly string[]): void {
  const back = args.find((word) => /^-\d/.test(word));
  if (back !== undefined) throw new ConfigError(`service time cannot go back, but got ${back}`);
}

/** Returns the body of the request that changes the clock; undefined to read the clock only. */
function changeOf(given: ActionArguments): object | undefined {
  const [value] = given.operands;
  const { usage } = clockActions[given.action] ?? {};
  switch (given.action) {
    case 'freeze':
      checkOperands(given, usage, { min: 0, max: 1 });
      return { frozen: true, ...(value === undefined ? {} : { now: value }) };
    case 'advance':
      checkOperands(given, usage, { min: 1 });
      return { advanceSeconds: secondsOf(String(value)) };
    case 'scale':
      checkOperands(given, usage, { min: 1 });
      return { rate: rateOf(String(value)) };
    default:
      checkOperands(given, usage, { min: 0 });
      return undefined;
  }
}

const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

function secondsOf(word: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhdw]?)$/.exec(word) ?? [];
  const seconds = units[unit];
  if (number === undefined || seconds === undefined)
    throw new ConfigError(`advance takes a duration such as 90s, 15m, 2h, 3d or 1w, but got ${word}`);
  return Number(number) * seconds;
}

function rateOf(word: string): number {
  if (!/^\d+(\.\d+)?$/.test(word)) throw new ConfigError(`scale takes a number such as 60, but got ${word}`);
  return Number(word);
}
