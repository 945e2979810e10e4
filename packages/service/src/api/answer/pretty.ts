/**
 * Formats JSON with two spaces of indent, ` : ` around the colon and arrays opened as `[ {` (docs/contract/access.md
 * 5). `nameOf` returns the name of a field in the text.
 */
export function pretty(value: unknown, indent = '', nameOf = asItIs): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? '[ ]' : `[ ${value.map((item) => pretty(item, indent, nameOf)).join(', ')} ]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{ }';
  const lines = fields.map(
    ([name, field]) => `${inner}${JSON.stringify(nameOf(name))} : ${pretty(field, inner, nameOf)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function asItIs(name: string): string {
  return name;
}
