import { isCompilable } from '@portolan/foundation/pattern-size';
import { EJSON } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { patternEngine } from '../interface/search/index.ts';
import { noEnvironment } from '../language/environment.ts';
import { compileFilter } from '../language/filter/index.ts';
import type { Matching } from '../language/patterns/pattern.ts';

/** Whether an audit message is recorded. */
export type AuditFilter = (message: object) => boolean;

/**
 * Throws if the text is no query document, or if it contains patterns that RE2 cannot run: the host thread, which
 * serves all clusters of the machine, applies filters to client-chosen names, and a backtracking pattern could block
 * it for ever.
 */
export function compileAuditFilter(text: string): AuditFilter {
  const parsed: unknown = EJSON.parse(text, { relaxed: true });
  rejectOtherPatterns(parsed);
  const filter = compileFilter(RawDocument.from(parsed as object), { ...noEnvironment, matching: linear });
  return (message) => filter.matches(RawDocument.from(message));
}

const linear: Matching = (pattern, flags) => {
  if (!isCompilable(pattern)) throw new Error('a pattern is too large once its repetitions are written out');
  const engine = patternEngine();
  const bits = { i: engine.CASE_INSENSITIVE, m: engine.MULTILINE, s: engine.DOTALL, u: 0 };
  const all = [...flags].reduce((sum, flag) => {
    const bit = bits[flag as keyof typeof bits];
    if (bit === undefined) throw new Error(`audit filter patterns do not support option ${flag}`);
    return sum | bit;
  }, 0);
  const compiled = engine.compile(pattern, all);
  return (text) => compiled.matcher(text).find();
};

/** Operators that compile patterns themselves, with a backtracking engine. */
const matchers: ReadonlySet<string> = new Set(['$regexMatch', '$regexFind', '$regexFindAll', '$jsonSchema']);

function rejectOtherPatterns(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (matchers.has(name)) throw new Error(`audit filters cannot use ${name}`);
    rejectOtherPatterns(inner);
  }
}

/** An invalid filter accepts every message: too many records are better than a gap. */
export function auditFilter(text: string | undefined): AuditFilter {
  if (text === undefined || text.trim() === '') return () => true;
  try {
    return compileAuditFilter(text);
  } catch {
    return () => true;
  }
}
