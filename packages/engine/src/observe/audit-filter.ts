import { errorMessage } from '@portolan/foundation/thrown';
import { EJSON } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { changeTurn, type Turn } from '../bson/turns.ts';
import { patternEngine } from '../interface/search/index.ts';
import { noEnvironment } from '../language/environment.ts';
import { compileFilter } from '../language/filter/index.ts';
import type { Matching } from '../language/patterns/pattern.ts';
import { boundedJson, checkOperators, patternBudget } from './audit-filter-bounds.ts';

/** Returns true if an audit message must be recorded. */
export type AuditFilter = (message: RawDocument) => boolean;

/** Maximum size of a message that is filtered, in bytes. Larger messages are always recorded. */
const MAX_MESSAGE = 65_536;

/**
 * Maximum number of steps of the pattern matching for one message. The number of steps of a match is the length of the
 * text times the size of the pattern.
 */
const MAX_STEPS = 1_000_000;

/** Work on matching an empty text takes as long as on this number of characters. */
const TEXT_OVERHEAD = 10;

/**
 * Maximum number of polls (`bson/turns.ts`) while the messages of one turn of the event loop are filtered, without the
 * first poll of each message. A message of 64 KB that contains an array can take a million comparisons.
 */
const MAX_POLLS = 16;

/**
 * Compiles an audit filter. Throws unless the filter is a query document with a limited number of comparisons. A filter
 * must neither take long nor use much memory. The service compiles it on its only thread. The host applies it on a
 * thread that serves all clusters of the machine, and to names that clients choose.
 */
export function compileAuditFilter(text: string): AuditFilter {
  const document = RawDocument.from(EJSON.deserialize(boundedJson(text) as object, { relaxed: false }));
  checkOperators(document);
  const steps = { left: 0 };
  const filter = compileFilter(document, { ...noEnvironment, withoutNear: true, matching: linear(steps) });
  const bounded = boundedTurn();
  return (message) => {
    if (message.length > MAX_MESSAGE) return true;
    steps.left = MAX_STEPS;
    return bounded(() => filter.matches(message));
  };
}

/** Returns a function that runs a comparison. The comparison throws if it and the others in the same turn take too long. */
function boundedTurn(): (compare: () => boolean) => boolean {
  let ofTurn = 0;
  let isFirst = true;
  const turn: Turn = {
    held: 0,
    poll() {
      if (isFirst) {
        isFirst = false;
        return;
      }
      if (ofTurn === 0) setImmediate(() => (ofTurn = 0));
      if (++ofTurn > MAX_POLLS) throw new Error('the message takes too many steps');
    },
  };
  return (compare) => {
    isFirst = true;
    const before = changeTurn(turn);
    try {
      return compare();
    } finally {
      changeTurn(before);
    }
  };
}

/** Matches patterns with RE2, which does not backtrack. All patterns share the step limit of a message. */
function linear(steps: { left: number }): Matching {
  const sizeOf = patternBudget();
  return (pattern, flags) => {
    const size = sizeOf(pattern, flags.includes('i'));
    const engine = patternEngine();
    const bits = { i: engine.CASE_INSENSITIVE, m: engine.MULTILINE, s: engine.DOTALL, u: 0 };
    const all = [...flags].reduce((sum, flag) => {
      const bit = bits[flag as keyof typeof bits];
      if (bit === undefined) throw new Error(`audit filter patterns do not support option ${flag}`);
      return sum | bit;
    }, 0);
    const compiled = engine.compile(pattern, all);
    return (text) => {
      steps.left -= (text.length + TEXT_OVERHEAD) * size;
      if (steps.left < 0) throw new Error('the message takes too many steps');
      return compiled.matcher(text).find();
    };
  };
}

/**
 * Like `compileAuditFilter`, but never throws, because a filter that was stored under earlier rules may be invalid. If
 * the text does not compile, every message is recorded, and `reject` receives the reason. If the filter fails on a
 * message, this message is recorded. Too many records are better than missing records.
 */
export function auditFilter(text: string | undefined, reject: (reason: string) => void): AuditFilter {
  if (text === undefined || text.trim() === '') return () => true;
  try {
    const wanted = compileAuditFilter(text);
    return (message) => {
      try {
        return wanted(message);
      } catch {
        return true;
      }
    };
  } catch (error) {
    reject(errorMessage(error));
    return () => true;
  }
}
