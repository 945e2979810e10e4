/** Matches a quoted absolute path, as in messages of system errors. The path may contain spaces. */
const QUOTED = /(['"])((?:[A-Za-z]:)?[\\/](?:(?!\1).)*)\1/g;
/**
 * Matches an unquoted absolute path of at least two folders, at the start or after a space or bracket. Parts of URLs do
 * not match.
 */
const BARE = /(^|[\s([{<:=])((?:[A-Za-z]:)?[\\/][^\s'"\\/]+[\\/][^\s'")\]}>]*)/g;

/** Replaces each path in a message by its last part, because callers must not learn where files are. */
export function withoutPaths(message: string): string {
  return message
    .replace(QUOTED, (_, quote: string, path: string) => quote + lastOf(path) + quote)
    .replace(BARE, (_, before: string, path: string) => before + lastOf(path));
}

function lastOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}
