/** The most used ones of the published lists, of eight characters and more: shorter ones are refused anyway. */
export const commonPasswords = new Set([
  'password',
  'password1',
  '12345678',
  '123456789',
  '1234567890',
  'qwertyuiop',
]);

/** Fewer characters than these are soon tried through, however often they are repeated. */
const FEWEST_CHARACTERS = 4;

/** Whether a password is the name, a few characters over and over, or a run of neighbours (`abcdefgh`, `87654321`). */
export function isWeak(password: string, username: string): boolean {
  const text = password.toLowerCase();
  if (text === username.toLowerCase() || new Set(text).size < FEWEST_CHARACTERS) return true;
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
