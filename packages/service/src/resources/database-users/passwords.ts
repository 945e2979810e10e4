/** The most frequent passwords in published lists that have at least eight characters, the minimum length. */
export const commonPasswords = new Set([
  'password',
  'password1',
  '12345678',
  '123456789',
  '1234567890',
  'qwertyuiop',
]);

/** A password with fewer distinct characters is easy to guess, however long it is. */
const MIN_DISTINCT_CHARACTERS = 4;

/** Whether a password is the user name, has too few distinct characters, or is a sequence (`abcdefgh`, `87654321`). */
export function isWeak(password: string, username: string): boolean {
  const text = password.toLowerCase();
  if (text === username.toLowerCase() || new Set(text).size < MIN_DISTINCT_CHARACTERS) return true;
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
