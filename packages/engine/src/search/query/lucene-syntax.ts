import { step, steps } from '../../bson/turns.ts';

/** A query in Lucene's query language: a term, phrase or range, or a combination of queries. */
export type LuceneClause =
  | { readonly kind: 'term'; readonly text: string; readonly edits: number }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'regex'; readonly text: string }
  | {
      readonly kind: 'range';
      readonly low: string | undefined;
      readonly high: string | undefined;
      readonly lowIn: boolean;
      readonly highIn: boolean;
    }
  | { readonly kind: 'field'; readonly path: string; readonly inside: LuceneClause }
  | { readonly kind: 'boost'; readonly boost: number; readonly inside: LuceneClause }
  | {
      readonly kind: 'boolean';
      readonly must: readonly LuceneClause[];
      readonly should: readonly LuceneClause[];
      readonly mustNot: readonly LuceneClause[];
    };

const TOKENS =
  /\s*(?:(\(|\)|\+|!|-|&&|\|\|)|(AND|OR|NOT)(?![^\s()])|("(?:[^"\\]|\\.)*")|(\/(?:[^/\\]|\\.)*\/)|([[{](?:[^\]}]*)[\]}])|((?:[^\s()"[\]{}^~:+!\\-]|\\.|(?<=[^\s(])[-+!])+)(:)?|(\^[0-9.]+)|(~[0-9.]*))/suy;

/** The number of steps that take as long as reading a token. */
const TOKEN_STEPS = 16;

interface LuceneToken {
  readonly kind: 'mark' | 'word' | 'quoted' | 'regex' | 'range' | 'term' | 'field' | 'boost' | 'tilde';
  readonly text: string;
}

/** Parses a query. Returns undefined if it is invalid. */
export function parseLucene(text: string): LuceneClause | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined || tokens.length === 0) return undefined;
  try {
    const parser = new LuceneParser(tokens);
    const clause = parser.clauses();
    return parser.ended ? clause : undefined;
  } catch (error) {
    if (error instanceof NotAQuery) return undefined;
    throw error;
  }
}

function tokensOf(text: string): LuceneToken[] | undefined {
  const tokens: LuceneToken[] = [];
  const pattern = new RegExp(TOKENS.source, TOKENS.flags);
  while (pattern.lastIndex < text.trimEnd().length) {
    steps(TOKEN_STEPS);
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, mark, word, quoted, regex, range, term, colon, boost, tilde] = match;
    if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text: unescaped(quoted.slice(1, -1)) });
    else if (regex !== undefined) tokens.push({ kind: 'regex', text: regex.slice(1, -1) });
    else if (range !== undefined) tokens.push({ kind: 'range', text: range });
    else if (term !== undefined) tokens.push({ kind: colon === undefined ? 'term' : 'field', text: term });
    else if (boost !== undefined) tokens.push({ kind: 'boost', text: boost.slice(1) });
    else tokens.push({ kind: 'tilde', text: (tilde ?? '~').slice(1) });
  }
  return tokens;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gsu, '$1');
}

class NotAQuery extends Error {}

/** Maximum nesting depth of parentheses and field groups. */
const MAX_NESTED = 50;

class LuceneParser {
  readonly #tokens: readonly LuceneToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly LuceneToken[]) {
    this.#tokens = tokens;
  }

  get ended(): boolean {
    return this.#at >= this.#tokens.length;
  }

  get #next(): LuceneToken | undefined {
    return this.#tokens[this.#at];
  }

  #takes(...texts: string[]): boolean {
    const next = this.#next;
    if (next === undefined || !['mark', 'word'].includes(next.kind) || !texts.includes(next.text))
      return false;
    this.#at++;
    return true;
  }

  /** Parses clauses up to the end or a closing parenthesis. */
  clauses(): LuceneClause {
    const [must, should, mustNot]: LuceneClause[][] = [[], [], []] as LuceneClause[][];
    let joined: 'and' | 'or' | undefined;
    let last: { list: LuceneClause[]; clause: LuceneClause } | undefined;
    while (!this.ended && this.#next?.text !== ')') {
      step();
      if (last !== undefined) joined = this.#conjunction();
      const not = this.#takes('NOT', '!', '-');
      const plus = !not && this.#takes('+');
      const clause = this.#clause();
      // AND makes the clauses on both sides required.
      if (joined === 'and' && last !== undefined && last.list === should) {
        should?.pop();
        must?.push(last.clause);
      }
      const list = not ? mustNot : plus || joined === 'and' ? must : should;
      list?.push(clause);
      last = { list: list as LuceneClause[], clause };
    }
    if (last === undefined) throw new NotAQuery();
    return { kind: 'boolean', must: must ?? [], should: should ?? [], mustNot: mustNot ?? [] };
  }

  #conjunction(): 'and' | 'or' | undefined {
    if (this.#takes('AND', '&&')) return 'and';
    return this.#takes('OR', '||') ? 'or' : undefined;
  }

  #clause(): LuceneClause {
    const token = this.#next;
    if (token === undefined) throw new NotAQuery();
    this.#at++;
    if (token.kind === 'field') {
      return { kind: 'field', path: unescaped(token.text), inside: this.#deeper(() => this.#clause()) };
    }
    if (token.text === '(' && token.kind === 'mark') {
      const inside = this.#deeper(() => this.clauses());
      if (!this.#takes(')')) throw new NotAQuery();
      return this.#boosted(inside);
    }
    if (token.kind === 'quoted') {
      const slop = this.#tilde();
      return this.#boosted({ kind: 'phrase', text: token.text, slop: slop === undefined ? 0 : Number(slop) });
    }
    if (token.kind === 'range') return this.#boosted(rangeOf(token.text));
    if (token.kind === 'regex') return this.#boosted({ kind: 'regex', text: token.text });
    if (token.kind !== 'term') throw new NotAQuery();
    return this.#boosted(this.#term(token.text));
  }

  #deeper(read: () => LuceneClause): LuceneClause {
    if (++this.#depth > MAX_NESTED) throw new NotAQuery();
    const inside = read();
    this.#depth--;
    return inside;
  }

  #term(text: string): LuceneClause {
    // Lucene rejects patterns that begin with a wildcard, except the star alone.
    if (/^[*?]./su.test(text)) throw new NotAQuery();
    if (/(?<!\\)[*?]/u.test(text)) return { kind: 'pattern', text };
    const edits = this.#tilde();
    const most = edits === undefined ? 0 : edits === '' ? 2 : Math.min(2, Math.floor(Number(edits)));
    return { kind: 'term', text: unescaped(text), edits: most };
  }

  #tilde(): string | undefined {
    const next = this.#next;
    if (next?.kind !== 'tilde') return undefined;
    this.#at++;
    return next.text;
  }

  #boosted(inside: LuceneClause): LuceneClause {
    const next = this.#next;
    if (next?.kind !== 'boost') return inside;
    this.#at++;
    return { kind: 'boost', boost: Number(next.text), inside };
  }
}

function rangeOf(text: string): LuceneClause {
  const match = /^([[{])\s*(\S+)\s+TO\s+(\S+)\s*([\]}])$/su.exec(text);
  if (match === null) throw new NotAQuery();
  const [, open, low, high, close] = match;
  const end = (word: string | undefined) =>
    word === '*' || word === undefined ? undefined : word.toLowerCase();
  return { kind: 'range', low: end(low), high: end(high), lowIn: open === '[', highIn: close === ']' };
}
