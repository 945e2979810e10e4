/** The result of one test. */
export interface Outcome {
  /** `CLASS › NAME`. */
  readonly test: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** The first line of a failure. */
  readonly message?: string;
}

const LONGEST_MESSAGE = 300;

/** Reads the tests of a JUnit report. If a test was repeated, its last result counts. */
export function readReport(xml: string): Outcome[] {
  const cases = xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  const outcomes = [...cases].map(([, head = '', content = '']) => outcomeOf(head, content));
  return [...new Map(outcomes.map((outcome) => [outcome.test, outcome])).values()];
}

function outcomeOf(head: string, content: string): Outcome {
  const test = `${attribute(head, 'classname')} › ${attribute(head, 'name')}`;
  const failure = /<(?:failure|error)\b([^>]*)>([\s\S]*?)(?:<\/(?:failure|error)>|$)/.exec(content);
  if (failure !== null) {
    const [, attributes = '', text = ''] = failure;
    const message = attribute(attributes, 'message') || plain(text);
    return { test, result: 'failed', message: message.slice(0, LONGEST_MESSAGE) };
  }
  return { test, result: /<skipped\b/.test(content) ? 'skipped' : 'passed' };
}

function attribute(text: string, name: string): string {
  return plain(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1] ?? '');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function plain(text: string): string {
  return text
    .replaceAll('<![CDATA[', '')
    .replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex: string, number: string, name: string) =>
      name === undefined
        ? String.fromCodePoint(Number.parseInt(number, hex === '' ? 10 : 16))
        : (entities[name] ?? whole),
    )
    .trim();
}
