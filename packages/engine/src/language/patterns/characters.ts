/** Tests whether a character, given by its code point, belongs to a class. */
export type CharacterTest = (code: number) => boolean;

const KNOWN = 256;

/** Tests characters with V8's character classes. Caches the results for the first 256 characters. */
export function characterTest({
  source,
  ignoreCase,
}: {
  readonly source: string;
  readonly ignoreCase: boolean;
}): CharacterTest {
  const regexp = new RegExp(`^${source}$`, ignoreCase ? 'iu' : 'u');
  const known = new Uint8Array(KNOWN);
  return (code) => {
    if (code >= KNOWN) return regexp.test(String.fromCodePoint(code));
    const answer = known[code] as number;
    if (answer !== 0) return answer === 1;
    const belongs = regexp.test(String.fromCodePoint(code));
    known[code] = belongs ? 1 : 2;
    return belongs;
  };
}
