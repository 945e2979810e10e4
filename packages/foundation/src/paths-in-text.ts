/** In quotes, where it may have blanks, as system errors name what they were about. */
const QUOTED = /(['"])((?:[A-Za-z]:)?[\\/](?:(?!\1).)*)\1/g;
/** Two folders at least, at the beginning or behind a blank or a bracket: a part of a URL is none. */
const BARE = /(^|[\s([{<:=])((?:[A-Za-z]:)?[\\/][^\s'"\\/]+[\\/][^\s'")\]}>]*)/g;

/**
 * A message for callers, who are not to learn where the files of a machine are: of each path it keeps the
 * file's name.
 */
export function withoutPaths(message: string): string {
  return message
    .replace(QUOTED, (_, quote: string, path: string) => quote + lastOf(path) + quote)
    .replace(BARE, (_, before: string, path: string) => before + lastOf(path));
}

function lastOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}
