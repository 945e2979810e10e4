import { type ClassTables, escapedCharacters, negatedPosixClasses } from './classes.ts';
import { PatternError } from './pattern-error.ts';
import type { Scanner } from './scanner.ts';

/** Parses an escape for a character or property that means the same inside and outside a class. */
export function characterEscape(scanner: Scanner): string | undefined {
  const hexadecimal = scanner.taken(/x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{0,2})/);
  if (hexadecimal !== undefined)
    return codePoint(Number.parseInt(hexadecimal[1] ?? `0${hexadecimal[2]}`, 16));
  const octal = scanner.taken(/0([0-7]{0,2})|o\{([0-7]+)\}|([1-7][0-7]{1,2})/);
  if (octal !== undefined) return codePoint(Number.parseInt(`0${octal[1] ?? octal[2] ?? octal[3]}`, 8));
  const control = scanner.taken(/c([\x20-\x7e])/);
  if (control !== undefined) return codePoint((control[1] as string).toUpperCase().charCodeAt(0) ^ 0x40);
  const property = scanner.taken(/([pP])(?:\{(\^?)(\w+&?)\}|([A-Z]))/);
  if (property !== undefined) return propertyOf(property);
  const simple = scanner.taken(/[aefnrt]/);
  return simple === undefined ? undefined : escapedCharacters[simple[0]];
}

/** Parses a character class whose opening bracket has been consumed. */
export function characterClass(scanner: Scanner, tables: ClassTables): string {
  let text = scanner.taken(/\^/) ? '[^' : '[';
  let first = true;
  for (;;) {
    if (scanner.ended) throw new PatternError('missing terminating ] for character class');
    if (!first && scanner.taken(/\]/)) return `${text}]`;
    text += member(scanner, tables);
    first = false;
  }
}

function member(scanner: Scanner, tables: ClassTables): string {
  const posix = scanner.taken(/\[:(\^?)(\w+):\]/);
  if (posix !== undefined) {
    const set = (posix[1] === '^' ? negatedPosixClasses : tables.posix)[posix[2] as string];
    if (set === undefined) throw new PatternError('unknown POSIX class name');
    return set;
  }
  const character = scanner.take();
  if (character !== '\\') return classLiteral(character);
  if (scanner.ended) throw new PatternError('\\ at end of pattern');
  const escaped = characterEscape(scanner);
  if (escaped !== undefined) return escaped;
  const letter = scanner.take();
  if (letter === 'b') return '\\x08';
  const set = tables.escaped[letter];
  if (set !== undefined) return set;
  if (/[A-Za-z]/.test(letter)) throw new PatternError('unrecognized character follows \\');
  return letter === '-' ? '\\-' : classLiteral(letter);
}

function classLiteral(character: string): string {
  return /[[\\\]^]/.test(character) ? `\\${character}` : character;
}

function codePoint(code: number): string {
  if (code > 0x10ffff) throw new PatternError('character code point value in \\x{} is too large');
  return `\\u{${code.toString(16)}}`;
}

/** Translates a Unicode property. A general category has one or two letters; any other name is a script. */
function propertyOf([, letter, negated, name, short]: RegExpExecArray): string {
  const negative = (letter === 'P') !== (negated === '^');
  const property = short ?? (name as string);
  const written = property.length <= 2 || property === 'Any' ? property : `Script=${property}`;
  return `\\${negative ? 'P' : 'p'}{${written === 'L&' ? 'LC' : written}}`;
}
