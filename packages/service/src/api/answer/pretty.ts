/**
 * Formats JSON with two spaces of indent, ` : ` around the colon and arrays opened as `[ {` (docs/contract/access.md
 * 5).
 */
export function pretty(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? '[ ]' : `[ ${value.map((item) => pretty(item, indent)).join(', ')} ]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{ }';
  const lines = fields.map(([name, field]) => `${inner}${JSON.stringify(name)} : ${pretty(field, inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
