/** The members of each POSIX class `[:name:]`: ASCII characters only, as in the server. */
const posixClasses: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\t-\\r ',
  blank: '\\t ',
  punct: '!-\\/:-@\\[-`\\{-~',
  cntrl: '\\x00-\\x1f\\x7f',
  graph: '!-~',
  print: ' -~',
  xdigit: '0-9A-Fa-f',
  word: 'A-Za-z0-9_',
  ascii: '\\x00-\\x7f',
};

/** The members of `[:^name:]`. */
export const negatedPosixClasses: Readonly<Record<string, string>> = {
  alpha: '\\x00-@\\[-`\\{-\\u{10ffff}',
  digit: '\\x00-\\/:-\\u{10ffff}',
  alnum: '\\x00-\\/:-@\\[-`\\{-\\u{10ffff}',
  upper: '\\x00-@\\[-\\u{10ffff}',
  lower: '\\x00-`\\{-\\u{10ffff}',
  space: '\\x00-\\x08\\x0e-\\x1f!-\\u{10ffff}',
  blank: '\\x00-\\x08\\n-\\x1f!-\\u{10ffff}',
  punct: '\\x00- 0-9A-Za-z\\x7f-\\u{10ffff}',
  cntrl: ' -~\\x80-\\u{10ffff}',
  graph: '\\x00- \\x7f-\\u{10ffff}',
  print: '\\x00-\\x1f\\x7f-\\u{10ffff}',
  xdigit: '\\x00-\\/:-@G-`g-\\u{10ffff}',
  word: '\\x00-\\/:-@\\[-\\^`\\{-\\u{10ffff}',
  ascii: '\\x80-\\u{10ffff}',
};

/** Escapes such as `\d`, written as they are within a class. */
const escapedClasses: Readonly<Record<string, string>> = {
  d: '0-9',
  D: negatedPosixClasses.digit as string,
  w: 'A-Za-z0-9_',
  W: negatedPosixClasses.word as string,
  s: '\\t-\\r ',
  S: negatedPosixClasses.space as string,
  h: '\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000',
  H: '\\x00-\\x08\\n-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u180d\\u180f-\\u1fff\\u200b-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\u{10ffff}',
  v: '\\n-\\r\\x85\\u2028\\u2029',
  V: '\\x00-\\t\\x0e-\\x84\\x86-\\u2027\\u202a-\\u{10ffff}',
};

/** The tables that expand classes: ASCII by default, Unicode properties after `(*UCP)`. */
export interface ClassTables {
  readonly escaped: Readonly<Record<string, string>>;
  readonly posix: Readonly<Record<string, string>>;
}

export const asciiClasses: ClassTables = { escaped: escapedClasses, posix: posixClasses };

const WHITE = '\\p{Z}\\t-\\r\\x85';

export const unicodeClasses: ClassTables = {
  escaped: { ...escapedClasses, d: '\\p{Nd}', D: '\\P{Nd}', w: '\\p{L}\\p{N}_', s: WHITE },
  posix: {
    ...posixClasses,
    alpha: '\\p{L}',
    digit: '\\p{Nd}',
    alnum: '\\p{L}\\p{N}',
    upper: '\\p{Lu}',
    lower: '\\p{Ll}',
    space: WHITE,
    blank: `\\t${'\\p{Zs}'}`,
    word: '\\p{L}\\p{N}_',
  },
};

/** Escapes that denote a single character. */
export const escapedCharacters: Readonly<Record<string, string>> = {
  a: '\\x07',
  e: '\\x1b',
  f: '\\f',
  n: '\\n',
  r: '\\r',
  t: '\\t',
};
