/** Why some answers are odd (see `oddities.ts`), and the source of each reason. */

export type Oddity = 'unspecific' | 'numbers differ' | 'codes differ' | 'undefined differs';

export interface Reason {
  readonly oddity: Oddity;
  /** Matches the page, the command or operator, and the field. */
  readonly subjects: RegExp;
  readonly why: string;
}

const long =
  "the field is an int64 in the wire protocol, and other types are rejected (drivers' specifications)";
const rounded =
  'decimals are rounded half to even, but doubles are truncated, so 1.5 becomes 2 or 1 (functional cases)';
const searched = 'all errors of search commands have the code 8 (functional cases)';
const withoutDecimals =
  'search does not support decimals (manual: numbers of search indexes are int32, int64 and double)';
const bits = 'bit operators accept only int32 and int64 (manual: `$bit`, `$bitAnd`)';

export const reasons: readonly Reason[] = [
  { oddity: 'unspecific', subjects: /createSearchIndexes|\$search|\$vectorSearch/, why: searched },
  {
    oddity: 'unspecific',
    subjects: /applyOps/,
    why: 'if an operation fails, the command has the code 8, and `results` contains the code of the operation (functional cases)',
  },
  { oddity: 'numbers differ', subjects: /term|getMore getMore|txnNumber|killCursors/, why: long },
  {
    oddity: 'numbers differ',
    subjects: /fsyncLockAcquisitionTimeoutMillis/,
    why: 'only int32 is accepted (functional cases)',
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
    why: 'the type of a value determines to which types it can be converted (manual: `$convert`)',
  },
  {
    oddity: 'numbers differ',
    subjects: /\$mod 1/,
    why: 'a zero divisor has another code if it is a decimal (functional cases)',
  },
  {
    oddity: 'numbers differ',
    subjects: /\$(round|trunc|substr|substrBytes) \d/,
    why: 'a double outside the range of int64 is rejected for this reason; a decimal is first reduced to this range, and then rejected as a position (functional cases)',
  },
  {
    oddity: 'codes differ',
    subjects: /\$densify range\.bounds/,
    why: 'the order of the bounds is checked before their types (functional cases)',
  },
  {
    oddity: 'undefined differs',
    subjects: /\$search|\$vectorSearch|createSearchIndexes/,
    why: 'search accepts null, but not undefined',
  },
  {
    oddity: 'undefined differs',
    subjects: /query operators|\$match a|projections \$elemMatch/,
    why: 'a condition can compare with null, but not with undefined (functional cases)',
  },
  {
    oddity: 'undefined differs',
    subjects: /\$(derivative|integral) input/,
    why: 'the input is a value: null is accepted and has no rate of change, but undefined has a wrong type',
  },
];
