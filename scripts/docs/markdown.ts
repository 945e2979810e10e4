/** A table; whatever would end a cell or a row is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
}

export const code = (text: string): string => `\`${text}\``;

/** A document: its title, a note that nobody edits it by hand, and its parts. */
export function page(title: string, parts: readonly string[]): string {
  const note = 'Made by `npm run docs` from the source; `npm run check` fails when it is stale.';
  return `${[`# ${title}\n`, `${note}\n`, ...parts].join('\n')}`;
}
