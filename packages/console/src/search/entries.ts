/** An entry of the search: a page, or something that a page shows. */
export interface Entry {
  readonly title: string;
  /** What the entry is, and where: the kind, and the name of the project or organization. */
  readonly detail: string;
  /** The address of the page. */
  readonly to: string;
}

/** Things of one kind, such as database users, and the page that lists all of them. */
export interface Group {
  readonly title: string;
  readonly to: string;
  readonly entries: readonly Entry[];
}

/** The number of letters from which the search includes resources. With fewer, almost every resource would match. */
export const MIN_LETTERS = 2;

const MAX_PAGES = 12;
const MAX_OF_A_KIND = 8;

/**
 * Returns the pages that match a text, and then the matching entries of each group. If too many entries of a group
 * match, a link to the page of the group replaces the last ones.
 */
export function search(pages: readonly Entry[], groups: readonly Group[], text: string): readonly Entry[] {
  const isLong = text.trim().length >= MIN_LETTERS;
  const found = matching(pages, text).slice(0, MAX_PAGES);
  return isLong ? [...found, ...groups.flatMap((group) => foundIn(group, text))] : found;
}

function foundIn({ title, to, entries }: Group, text: string): readonly Entry[] {
  const found = matching(entries, text);
  const more = found.length - MAX_OF_A_KIND;
  if (more <= 0) return found;
  return [...found.slice(0, MAX_OF_A_KIND), { title: `${more} more in ${title}`, detail: 'page', to }];
}

/** Returns the entries that contain all words of a text. Entries whose title begins with the text come first. */
function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ title, detail }) => {
    const name = `${title} ${detail}`.toLowerCase();
    return wanted.every((word) => name.includes(word));
  });
  const start = text.trim().toLowerCase();
  const rank = ({ title }: Entry) => (title.toLowerCase().startsWith(start) ? 0 : 1);
  return found.toSorted((one, other) => rank(one) - rank(other));
}
