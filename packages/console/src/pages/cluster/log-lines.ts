/** Returns the last lines of a compressed log. */
export async function lastLines(bytes: Blob, most: number): Promise<readonly string[]> {
  const text = bytes
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(new TextDecoderStream());
  const reader = text.getReader();
  let lines: string[] = [];
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const parts = (rest + value).split('\n');
    rest = done ? '' : (parts.pop() ?? '');
    lines = [...lines, ...parts.filter((line) => line !== '')].slice(-most);
    if (done) return lines.map(readable);
  }
}

interface Entry {
  readonly t?: { readonly $date: string };
  readonly s?: string;
  readonly c?: string;
  readonly msg?: string;
  readonly attr?: unknown;
}

/**
 * Formats a line of a log as time, severity, component, message and attributes. Lines of another form stay unchanged.
 */
function readable(line: string): string {
  try {
    const { t, s, c, msg, attr } = JSON.parse(line) as Entry;
    if (msg === undefined) return line;
    return [t?.$date, s, c, msg, attr && JSON.stringify(attr)].filter(Boolean).join('  ');
  } catch {
    return line;
  }
}
