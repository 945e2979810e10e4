/** A piece of markup in a text. */
export interface Markup {
  readonly start: number;
  readonly end: number;
  /** The name of a tag. The markup of scripts and styles includes their content. */
  readonly name?: string;
  /** The content of a CDATA section. */
  readonly data?: string;
}

/** Finds the end of the next match of a pattern. Positions must not decrease, so that the text is scanned only once. */
class Lookahead {
  readonly #text: string;
  readonly #wanted: RegExp;
  #start = -1;
  #end = 0;

  constructor(text: string, wanted: RegExp) {
    this.#text = text;
    this.#wanted = new RegExp(wanted, 'g');
  }

  /** Returns the end of the first match that begins at or after `from`, or -1 if there is none. */
  end(from: number): number {
    if (this.#start < from && this.#end >= 0) {
      this.#wanted.lastIndex = from;
      const found = this.#wanted.exec(this.#text);
      this.#start = found === null ? Number.POSITIVE_INFINITY : found.index;
      this.#end = found === null ? -1 : found.index + found[0].length;
    }
    return this.#end;
  }
}

/** Maximum length of a tag. A longer tag is treated as text, because no real page has such tags. */
const LONGEST_TAG = 4_096;
const NAME = /[a-zA-Z][\w:.-]{0,255}/y;
const ENTITY = /&(?:#\d{1,10}|#[xX][\da-fA-F]{1,8}|[a-zA-Z]\w{0,40});/y;

/**
 * Yields comments, CDATA sections, tags, scripts and styles with their content, declarations and entities, in text
 * order. The time is linear in the length of the text, even if markup is never closed.
 */
export function* markupOf(text: string): Generator<Markup> {
  const opening = /[<&]/g;
  const ends = endsIn(text);
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const markup =
      text[found.index] === '&' ? entityAt(text, found.index) : markupAt(text, found.index, ends);
    if (markup === undefined) continue;
    yield markup;
    opening.lastIndex = markup.end;
  }
}

const endsIn = (text: string) => ({
  comment: new Lookahead(text, /-->/),
  section: new Lookahead(text, /\]\]>/),
  bracket: new Lookahead(text, />/),
  script: new Lookahead(text, /<\/script\s{0,256}>/),
  style: new Lookahead(text, /<\/style\s{0,256}>/),
});
type Ends = ReturnType<typeof endsIn>;

function entityAt(text: string, start: number): Markup | undefined {
  ENTITY.lastIndex = start;
  return ENTITY.test(text) ? { start, end: ENTITY.lastIndex } : undefined;
}

const CDATA = '<![CDATA[';

function markupAt(text: string, start: number, ends: Ends): Markup | undefined {
  const upTo = (end: number) => (end < 0 ? undefined : { start, end });
  if (text.startsWith('<!--', start)) {
    const comment = upTo(ends.comment.end(start + 4));
    if (comment !== undefined) return comment;
  }
  if (text.startsWith(CDATA, start)) {
    const end = ends.section.end(start + CDATA.length);
    if (end >= 0) return { start, end, data: text.slice(start + CDATA.length, end - 3) };
  }
  const next = text[start + 1];
  if (next === '!' || next === '?') return upTo(ends.bracket.end(start + 2));
  return tagAt(text, start, ends);
}

function tagAt(text: string, start: number, ends: Ends): Markup | undefined {
  if (ends.bracket.end(start) < 0) return undefined;
  const isClosing = text[start + 1] === '/';
  NAME.lastIndex = start + (isClosing ? 2 : 1);
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const end = tagEnd(text, NAME.lastIndex);
  if (end < 0) return undefined;
  const block = !isClosing && (name === 'script' || name === 'style') ? ends[name].end(end) : -1;
  return { start, end: Math.max(end, block), name };
}

/**
 * Returns the position after the bracket that closes the tag, or -1 if there is none. Brackets within quotes
 * do not close it.
 */
function tagEnd(text: string, from: number): number {
  let quote: string | undefined;
  const last = Math.min(text.length, from + LONGEST_TAG);
  for (let at = from; at < last; at++) {
    const letter = text[at];
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
    } else if (letter === '>') return at + 1;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return -1;
}
