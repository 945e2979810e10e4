import { BoundedCache } from '@portolan/foundation/bounded-cache';

/** Tests whether a character, given by its code point, belongs to a class. */
export type CharacterTest = (code: number) => boolean;

const KNOWN = 256;

/**
 * Tests of recent classes. Compiling a Unicode property takes V8 about 0.1 ms and tens of kilobytes, and a pattern can
 * contain it hundreds of times.
 */
const tests = new BoundedCache<string, CharacterTest>({ entries: 256 });

/**
 * Tests characters with V8's character classes. Calls `compiled` after it has compiled a class, which takes up to a
 * millisecond.
 */
export function characterTest(
  { source, ignoreCase }: { readonly source: string; readonly ignoreCase: boolean },
  compiled: () => void,
): CharacterTest {
  return tests.of(`${ignoreCase ? 'i' : ''}/${source}`, () => {
    const test = makeTest(source, ignoreCase);
    // V8 compiles a class to bytecode for the first character, and to machine code for the second.
    test(KNOWN);
    test(KNOWN);
    compiled();
    return test;
  });
}

/** A character that the text of V8 begins with if the tested character belongs to Latin-1. */
const WIDE = '\u0100';

/**
 * Caches the results for the first 256 characters. V8 would compile the class again for texts of such characters only,
 * so the texts contain another character.
 */
function makeTest(source: string, ignoreCase: boolean): CharacterTest {
  const regexp = new RegExp(`^${WIDE}?${source}$`, ignoreCase ? 'iu' : 'u');
  const known = new Uint8Array(KNOWN);
  return (code) => {
    if (code >= KNOWN) return regexp.test(String.fromCodePoint(code));
    const answer = known[code] as number;
    if (answer !== 0) return answer === 1;
    const belongs = regexp.test(WIDE + String.fromCodePoint(code));
    known[code] = belongs ? 1 : 2;
    return belongs;
  };
}
