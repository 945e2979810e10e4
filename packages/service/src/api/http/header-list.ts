/**
 * Returns the entries of a header that is a list, without the white space around them. A pattern such as `\s*,\s*`
 * would take time that grows with the square of the length, if a header consists of white space.
 */
export function headerList(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}
