/** Why some answers are odd (see `oddities.ts`), and the source of each reason. */

export type Oddity = 'unspecific' | 'numbers differ' | 'codes differ' | 'undefined differs';

export interface Reason {
  readonly oddity: Oddity;
  /** Matches the page, the command or operator, and the field. */
  readonly subjects: RegExp;
  readonly why: string;
}

const long = 'only int64 is accepted (specifications of drivers)';
const rounded =
  'decimals are rounded half to even, and doubles are truncated, so the decimal 1.5 becomes 2, and the double 1.5 becomes 1 (functional cases)';
const searched = 'all errors of search have the code 8 (functional cases)';
const withoutDecimals =
  'search supports only int32, int64 and double (manual: types of numbers in search indexes)';
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
    subjects: /stmtIds?\b/,
    why: 'only int32 is accepted (argument declarations of the reference server)',
  },
  {
    oddity: 'numbers differ',
    subjects: /dropDatabase|clusteredIndex\.v|(sort|sortBy|\$sort)[ .]a$|sortBy\.a$/,
    why: rounded,
  },
  {
    oddity: 'codes differ',
    subjects: /clusteredIndex\.v/,
    why: 'the version must be 2: other numbers get the code 5979704, and other types the code 14 (functional cases)',
  },
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
    why: 'a divisor of zero gets one code if it is a decimal, and another code if it has another type (functional cases)',
  },
  {
    oddity: 'numbers differ',
    subjects: /\$(round|trunc|substr|substrBytes) \d/,
    why: 'a double outside the range of int64 is rejected because of this range. A decimal outside the range is replaced by the nearest int64, which is rejected because it is not a valid position (functional cases)',
  },
  {
    oddity: 'codes differ',
    subjects: /\$densify range\.bounds/,
    why: 'the engine first checks that the first bound is less than the second, and then checks the types of the bounds (functional cases)',
  },
  {
    oddity: 'codes differ',
    subjects: /\$bitNot/,
    why: 'a value that is not a number gets the code that all arithmetic operators of one argument use, and a number that is not an integer gets the code of bit operators (tests of the reference server)',
  },
  {
    oddity: 'undefined differs',
    subjects: /\$search|\$vectorSearch|createSearchIndexes/,
    why: 'only null counts as absent in search',
  },
  {
    oddity: 'undefined differs',
    subjects: /query operators|\$match a|projections \$elemMatch/,
    why: 'a condition can compare a field with null, but not with undefined (functional cases)',
  },
];
