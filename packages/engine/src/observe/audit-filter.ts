import { isCompilable } from '@portolan/foundation/pattern-size';
import { EJSON } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { patternEngine } from '../interface/search/index.ts';
import { noEnvironment } from '../language/expression/environment.ts';
import { compileFilter } from '../language/filter/index.ts';
import type { Matching } from '../language/patterns/pattern.ts';

/** Whether an audit message is wanted. */
export type AuditFilter = (message: object) => boolean;

/**
 * Throws for a text that is no query document, and for one with patterns that are not those of RE2: the thread that runs
 * all clusters of the machine asks it of names that anybody may send, and a pattern that goes back would hold it for ever.
 */
export function compileAuditFilter(text: string): AuditFilter {
  const parsed: unknown = EJSON.parse(text, { relaxed: true });
  refuseOtherPatterns(parsed);
  const filter = compileFilter(RawDocument.from(parsed as object), { ...noEnvironment, matching: linear });
  return (message) => filter.matches(RawDocument.from(message));
}

const linear: Matching = (pattern, flags) => {
  if (!isCompilable(pattern)) throw new Error('a pattern is too large once its repetitions are written out');
  const engine = patternEngine();
  const bits = { i: engine.CASE_INSENSITIVE, m: engine.MULTILINE, s: engine.DOTALL, u: 0 };
  const all = [...flags].reduce((sum, flag) => {
    const bit = bits[flag as keyof typeof bits];
    if (bit === undefined) throw new Error(`patterns of audit filters take no option ${flag}`);
    return sum | bit;
  }, 0);
  const compiled = engine.compile(pattern, all);
  return (text) => compiled.matcher(text).find();
};

/** Operators that match patterns by themselves. */
const matchers: ReadonlySet<string> = new Set(['$regexMatch', '$regexFind', '$regexFindAll', '$jsonSchema']);

function refuseOtherPatterns(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (matchers.has(name)) throw new Error(`audit filters cannot use ${name}`);
    refuseOtherPatterns(inner);
  }
}

/** One that cannot be read lets every message through: too much is better than a gap. */
export function auditFilter(text: string | undefined): AuditFilter {
  if (text === undefined || text.trim() === '') return () => true;
  try {
    return compileAuditFilter(text);
  } catch {
    return () => true;
  }
}
