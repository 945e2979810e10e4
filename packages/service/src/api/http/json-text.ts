import { isStorableText } from '@portolan/foundation/storable-text';
import { generalFaults, violation } from '../faults.ts';

/** Constraints on a document in addition to those of JSON. */
export interface TextRules {
  /** Number of field names in the text, as `JsonScan` counted them. */
  readonly names: number;
  readonly longestText: number;
}

/**
 * Parses JSON. Throws `MALFORMED_JSON` for invalid JSON. Throws `VALIDATION_ERROR` for a string that is ill-formed or
 * too long, and for a duplicate field, where `JSON.parse` would silently use the last value.
 */
export function parseJson(text: string, rules: TextRules): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw generalFaults.MALFORMED_JSON();
  }
  const checking: Checking = {
    longest: text.length > rules.longestText ? rules.longestText : undefined,
    // A string can be ill-formed only through escapes, because invalid UTF-8 has already been rejected, and an
    // unescaped NUL is invalid JSON.
    mayBeUnsound: escapes.test(text),
    names: 0,
  };
  check(document, '', checking);
  if (checking.names < rules.names)
    throw violation(nameGivenTwice(text), 'is given more than once in one object.');
  return document;
}

/** Escapes of NUL and of both halves of surrogate pairs. */
const escapes = /\\u(?:0000|d[89a-f])/i;

interface Checking {
  /** The maximum length of a string; undefined if no string of the document can be too long. */
  readonly longest: number | undefined;
  readonly mayBeUnsound: boolean;
  names: number;
}

const UNSOUND = 'contains NUL or an unpaired surrogate';

function check(value: unknown, path: string, checking: Checking): void {
  if (typeof value === 'string') {
    if (checking.longest !== undefined && value.length > checking.longest)
      throw violation(path, `must NOT have more than ${checking.longest} characters`);
    if (checking.mayBeUnsound && !isStorableText(value)) throw violation(path, UNSOUND);
  } else if (typeof value === 'object' && value !== null) {
    const inList = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (!inList) checkName(name, path, checking);
      check(inner, path === '' ? name : `${path}.${name}`, checking);
    }
  }
}

function checkName(name: string, path: string, checking: Checking): void {
  checking.names++;
  // Reject `__proto__`, because copying this field to another object would change the prototype of that object.
  if (name === '__proto__') throw generalFaults.INVALID_ATTRIBUTE(name);
  if (checking.mayBeUnsound && !isStorableText(name))
    throw violation(path, `has a field whose name ${UNSOUND}`);
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/** Returns the first duplicate field name of a text that is valid JSON. */
function nameGivenTwice(text: string): string {
  /** Names seen in each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  const marks = /["[\]{}]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '{') open.push(new Set());
    else if (mark[0] === '[') open.push(undefined);
    else if (mark[0] !== '"') open.pop();
    else {
      const end = endOfString(text, mark.index);
      marks.lastIndex = end + 1;
      if (!isName(text, end)) continue;
      const name = String(JSON.parse(text.slice(mark.index, end + 1)));
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  throw new TypeError('There are more names than fields, but no duplicate name');
}

/** Returns the index of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 32) at++;
  return text.charCodeAt(at) === COLON;
}
