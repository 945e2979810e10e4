/**
 * Whether every database and every answer can hold a text as it is: PostgreSQL stores no NUL, and UTF-8 writes no half
 * of a surrogate pair. What a caller gives is refused otherwise, wherever it stands: path, query or body.
 */
export function isSound(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
