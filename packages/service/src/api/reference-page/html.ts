/** Text that is already HTML; everything else is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Insertable = Markup | string | number | undefined | false | readonly Insertable[];

/**
 * A template tag that escapes insertions unless they are markup. Lists are joined; undefined and false are
 * omitted.
 */
export function html(parts: TemplateStringsArray, ...inserted: readonly Insertable[]): Markup {
  return new Markup(parts.map((part, index) => part + render(inserted[index])).join(''));
}

function render(value: Insertable): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  return isList(value) ? value.map(render).join('') : escaped(String(value));
}

function isList(value: Insertable): value is readonly Insertable[] {
  return Array.isArray(value);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Prose in which backticks mark code. */
export function prose(text: string | undefined): Markup {
  const pieces = (text ?? '').split('`');
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}
