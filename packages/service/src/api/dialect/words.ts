/** The words of a dialect. Each table maps words of the declared operations to words of the dialect. */
export interface Words {
  /** Names of declared fields. */
  readonly fields: WordTable;
  /** Values of enumerations and constants. */
  readonly values: WordTable;
  /** Values to add to enumerations, by a declared value. Each enumeration that has the declared value gets them. */
  readonly more?: Readonly<Record<string, readonly string[]>>;
  /** Values of text fields, by field name. */
  readonly texts: Readonly<Record<string, TextWords>>;
  /** Segments and custom methods of paths, such as `dbVersions` and `:grantDbEmployeeAccess`. */
  readonly segments: WordTable;
  /** Values of path and query parameters, by parameter name. */
  readonly parameters: Readonly<Record<string, TextWords>>;
}

export type WordTable = Readonly<Record<string, string>>;

/** Replacements in a text. `equal` replaces the whole text, `beginning` a prefix of it. */
export interface TextWords {
  readonly equal?: WordTable;
  readonly beginning?: WordTable;
}

/** The changes of a dialect to error codes. */
export interface FaultWords {
  /** Whole codes; they take precedence over parts. */
  readonly codes: WordTable;
  /** Parts of codes between underscores, such as `PLATFORM` in `PLATFORM_GENERAL_ERROR`. */
  readonly parts: WordTable;
  /** Texts by declared code, with `{0}` for the first parameter. The other codes keep the declared text. */
  readonly texts?: WordTable;
}

/** `out` translates from the words of declared operations to the words of the dialect, `in` the reverse. */
export type WordDirection = 'in' | 'out';

export function turned(table: WordTable, direction: WordDirection): ReadonlyMap<string, string> {
  const pairs = Object.entries(table);
  return new Map(direction === 'out' ? pairs : pairs.map(([declared, own]) => [own, declared]));
}

export type TextTranslator = (text: string) => string;

export function textTranslator(
  { equal = {}, beginning = {} }: TextWords,
  direction: WordDirection,
): TextTranslator {
  const whole = turned(equal, direction);
  const begins = [...turned(beginning, direction)];
  return (text) => {
    const found = whole.get(text);
    if (found !== undefined) return found;
    const [from = '', to = ''] = begins.find(([begin]) => text.startsWith(begin)) ?? [];
    return to + text.slice(from.length);
  };
}

/** Returns a path template in the words of the dialect. */
export function pathIn(template: string, { segments }: Words): string {
  return template
    .split('/')
    .map((segment) => {
      const [name = '', verb] = segment.split(/(?=:)/);
      const own = segments[name] ?? name;
      return verb === undefined ? own : own + (segments[verb] ?? verb);
    })
    .join('/');
}
