import { expandedSize } from '@portolan/foundation/pattern-size';
import { patternEngine, splitLookaheads } from '../../../interface/search/index.ts';
import { PATTERN_STEPS, type Token, type TokenFilter } from '../token.ts';

/**
 * Maximum length of the part of a term in which a pattern is replaced at once. The length is limited, because
 * some patterns, such as `a.*z|a`, read the rest of the text for each match.
 */
const LONGEST = 2_048;

/** The number of steps that inserting a part of a replacement takes. */
const PART_STEPS = 8;

type Pattern = ReturnType<ReturnType<typeof patternEngine>['compile']>;

/** Replaces the first match, or all matches, of a pattern in each term. */
export function replacePattern(pattern: string, replacement: string, all: boolean): TokenFilter {
  const { rest, conditions } = splitLookaheads(pattern);
  const compiled = patternEngine().compile(rest);
  const tests = conditions.map((one) => ({ ...one, compiled: patternEngine().compile(one.pattern) }));
  const parts = partsOf(replacement, compiled);
  const cost = expandedSize(pattern);
  const inserting = PART_STEPS * parts.length;
  const replaced = all ? replaceAll : replaceFirst;
  return Object.assign(
    function* (batches: Iterable<readonly Token[]>, most: number): Generator<readonly Token[]> {
      let steps = 0;
      for (const tokens of batches) {
        let [changed, letters]: [Token[], number] = [[], 0];
        for (const token of tokens) {
          const beginning = token.term.slice(0, LONGEST);
          if (!tests.every((one) => one.compiled.matcher(beginning).find() === one.holds)) {
            changed.push(token);
            continue;
          }
          let term = '';
          for (const part of replaced(token.term, compiled, parts, most)) {
            term += part;
            if (term.length > most) break;
            steps += cost * Math.min(token.term.length, LONGEST) + inserting + part.length;
            if (steps > PATTERN_STEPS) {
              yield [];
              steps = 0;
            }
          }
          changed.push({ ...token, term });
          // A replacement can be much longer than the term. The next filter must not get all of them at once.
          letters += term.length;
          if (letters < most) continue;
          yield changed;
          [changed, letters] = [[], 0];
        }
        yield changed;
      }
    },
    { cost },
  );
}

/** A text to insert, or the number of a capture group whose text is inserted. */
type Part = number | string;

/**
 * Parses a replacement in Java's syntax: `$1` and `${name}` are capture groups, and a backslash escapes the next
 * character.
 */
function partsOf(replacement: string, compiled: Pattern): readonly Part[] {
  const groups = compiled.groupCount();
  const names = compiled.namedGroups();
  const parts: Part[] = [];
  let at = 0;
  for (const found of replacement.matchAll(/\\(.)|\$(\d+)|\$\{(\w+)\}/gsu)) {
    const [all, escaped, digits, name] = found;
    parts.push(replacement.slice(at, found.index));
    at = found.index + all.length;
    if (escaped !== undefined) parts.push(escaped);
    else if (digits !== undefined) parts.push(...groupOf(digits, groups));
    else parts.push(names[name as string] ?? all);
  }
  return [...parts, replacement.slice(at)];
}

/**
 * Parses a group reference: the longest sequence of digits that is the number of a group. Further digits are plain
 * text.
 */
function groupOf(digits: string, groups: number): readonly Part[] {
  for (let length = digits.length; length > 0; length--) {
    const group = Number(digits.slice(0, length));
    if (group <= groups) return [group, digits.slice(length)];
  }
  return [`$${digits}`];
}

/** Yields the changed term in pieces, one for each match and one at the end. */
function* replaceAll(
  whole: string,
  compiled: Pattern,
  parts: readonly Part[],
  most: number,
): Generator<string> {
  for (let from = 0; from === 0 || from < whole.length; from += LONGEST) {
    const text = whole.slice(from, from + LONGEST);
    const matcher = compiled.matcher(text);
    let at = 0;
    while (matcher.find()) {
      yield text.slice(at, matcher.start()) + inserted(matcher, parts, most);
      at = matcher.end();
    }
    yield text.slice(at);
  }
}

function* replaceFirst(
  whole: string,
  compiled: Pattern,
  parts: readonly Part[],
  most: number,
): Generator<string> {
  const matcher = compiled.matcher(whole.slice(0, LONGEST));
  if (!matcher.find()) yield whole;
  else yield whole.slice(0, matcher.start()) + inserted(matcher, parts, most) + whole.slice(matcher.end());
}

/** Returns the text that replaces a match. It is cut off after a part that makes it longer than `most` characters. */
function inserted(matcher: ReturnType<Pattern['matcher']>, parts: readonly Part[], most: number): string {
  let text = '';
  for (const part of parts) {
    text += typeof part === 'string' ? part : (matcher.group(part) ?? '');
    if (text.length > most) break;
  }
  return text;
}
