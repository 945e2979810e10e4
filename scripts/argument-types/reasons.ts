/** Why some answers are odd, and the source for it. */

export type Oddity = 'unspecific' | 'numbers differ' | 'codes differ' | 'undefined differs';

export interface Reason {
  readonly oddity: Oddity;
  /** Matches the page, the command or operator, and the field. */
  readonly subjects: RegExp;
  readonly why: string;
}

const long =
  "the field is an int64 of the wire protocol, which no other type may stand for (drivers' specifications)";
const rounded =
  'decimals are rounded half to even and doubles truncated, so that 1.5 is 2 or 1 (functional cases)';
const searched = 'search answers with code 8 whatever is wrong (functional cases)';
const withoutDecimals =
  'search has no decimals (manual: numbers of search indexes are int32, int64 and double)';
const bits = 'bits exist of int32 and int64 only (manual: `$bit`, `$bitAnd`)';

export const reasons: readonly Reason[] = [
  { oddity: 'unspecific', subjects: /createSearchIndexes|\$search|\$vectorSearch/, why: searched },
  {
    oddity: 'unspecific',
    subjects: /applyOps/,
    why: 'an operation that fails has code 8, with its own in `results` (functional cases)',
  },
  { oddity: 'numbers differ', subjects: /term|getMore getMore|txnNumber|killCursors/, why: long },
  {
    oddity: 'numbers differ',
    subjects: /fsyncLockAcquisitionTimeoutMillis/,
    why: 'an int32 only (functional cases)',
  },
  {
    oddity: 'numbers differ',
    subjects: /dropDatabase|clusteredIndex\.v|(sort|sortBy|\$sort)[ .]a$|sortBy\.a$/,
    why: rounded,
  },
  { oddity: 'codes differ', subjects: /clusteredIndex\.v/, why: rounded },
  { oddity: 'numbers differ', subjects: /createSearchIndexes|\$search|\$vectorSearch/, why: withoutDecimals },
  { oddity: 'numbers differ', subjects: /\$bit/, why: bits },
  {
    oddity: 'numbers differ',
    subjects: /\$convert input|\$toUUID|\$toDate/,
    why: 'each type converts to its own list of types (manual: `$convert`)',
  },
  {
    oddity: 'numbers differ',
    subjects: /\$mod 1/,
    why: 'a zero divisor has another code with decimals (functional cases)',
  },
  {
    oddity: 'numbers differ',
    subjects: /\$(round|trunc|substr|substrBytes) \d/,
    why: 'doubles beyond int64 fail as such, decimals are clamped and then fail by their place (functional cases)',
  },
  {
    oddity: 'codes differ',
    subjects: /\$densify range\.bounds/,
    why: 'the order of the bounds is checked before their types (functional cases)',
  },
  {
    oddity: 'undefined differs',
    subjects: /\$search|\$vectorSearch|createSearchIndexes/,
    why: 'search knows null and no undefined',
  },
  {
    oddity: 'undefined differs',
    subjects: /query operators|\$match a|projections \$elemMatch/,
    why: 'a condition compares with null, and cannot with undefined (functional cases)',
  },
  {
    oddity: 'undefined differs',
    subjects: /\$(derivative|integral) input/,
    why: 'the input is a value: null has no rate of change, and undefined is a wrong type',
  },
];
