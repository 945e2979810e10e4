/** The literal text with which all matching texts begin. */
interface Prefix {
  readonly text: string;
  /** True if all texts with this beginning match. */
  readonly isWhole: boolean;
}

const none: Prefix = { text: '', isWhole: false };

/** One part of a pattern: a literal character, or an operator such as `.` or `*`. */
interface Token {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** The characters with a meaning of their own. */
const operators: ReadonlySet<string> = new Set('^$.[]()+{}|*?');
/** The quantifiers that make the preceding character optional. */
const optional: ReadonlySet<string> = new Set('*?{');

/**
 * Returns the prefix of a pattern that begins with `^` or `\A`. Escaped punctuation and texts between `\Q` and `\E`
 * belong to the prefix. A pattern with `|` has no prefix, because `|` can apply to the whole pattern.
 */
export function prefixOf({ pattern, flags }: { readonly pattern: string; readonly flags: string }): Prefix {
  const anchor = /^(?:\^|\\A)/.exec(pattern)?.[0];
  const anchored = anchor === '\\A' || (anchor === '^' && !flags.includes('m'));
  if (!anchored || /[^msx]/.test(flags)) return none;
  const tokens = [...tokensOf(pattern.slice(anchor.length), flags.includes('x'))];
  if (tokens.some(({ text, isLiteral }) => text === '|' && !isLiteral)) return none;
  const end = tokens.findIndex(({ isLiteral }) => !isLiteral);
  if (end < 0) return { text: textOf(tokens), isWhole: tokens.length > 0 };
  const isOptional = optional.has(tokens[end]?.text ?? '');
  return { text: textOf(tokens.slice(0, isOptional ? Math.max(end - 1, 0) : end)), isWhole: false };
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('');
}

/** Divides a pattern into tokens. `extended` is true if white space is ignored and `#` begins a comment. */
function* tokensOf(pattern: string, extended: boolean): Generator<Token> {
  const parts = /\\Q(.*?)(?:\\E|$)|\\(.?)|(.)/gsu;
  for (const [, quoted, escaped, plain = ''] of pattern.matchAll(parts)) {
    if (quoted !== undefined) yield* [...quoted].map((text) => ({ text, isLiteral: true }));
    else if (escaped !== undefined) yield { text: escaped, isLiteral: /^[^\p{L}\p{N}]$/su.test(escaped) };
    else if (!extended || !/[\s#]/.test(plain)) yield { text: plain, isLiteral: !operators.has(plain) };
    else if (plain === '#') yield { text: plain, isLiteral: false };
  }
}
