/** Returns a Markdown table. In its rows, pipes are escaped, and line breaks become spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
}

export const code = (text: string): string => `\`${text}\``;

/** Returns a document: a title, a note that it is generated, and its parts. */
export function page(title: string, parts: readonly string[]): string {
  const note =
    'Generated from the source by `npm run docs`. `npm run check` fails if this file is out of date.';
  return `${[`# ${title}\n`, `${note}\n`, ...parts].join('\n')}`;
}
