/**
 * True if every database and response can represent the text unchanged. PostgreSQL cannot store NUL, and UTF-8 cannot
 * encode half of a surrogate pair. Requests with other texts in path, query or body are rejected.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
