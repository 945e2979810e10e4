import { MAX_NESTING } from './bounds.ts';

/** Matches comments, strings, escaped characters and brackets. */
const parts =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|\\[\s\S]|[([{}\])]/g;

/**
 * True if the brackets of a script are nested too deeply. The result is not exact, because regular expressions are read
 * as other code: their brackets count, and a quote in them can hide brackets that follow.
 */
export function isTooNested(code: string): boolean {
  let depth = 0;
  for (const [part] of code.matchAll(parts)) {
    if (part.length > 1) continue;
    if ('([{'.includes(part)) depth++;
    else if (depth > 0) depth--;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

/** True if the stack of the thread has overflowed. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack size');
}
