import { isSound } from '@portolan/foundation/sound-text';
import { generalFaults, violation } from '../faults.ts';

/** What a document is held against beyond being JSON. */
export interface TextRules {
  /** Names of fields in the text, as `JsonScan` counted them. */
  readonly names: number;
  readonly longestText: number;
}

/**
 * Parses JSON. Throws `MALFORMED_JSON` for what is none, and `VALIDATION_ERROR` for a document that holds a text that is
 * none or is too long, or names a field of one object twice, of which `JSON.parse` would silently take the last.
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
    // Only an escape can write what is no text: bytes that are none were refused as no UTF-8, and a bare NUL as no JSON.
    mayBeUnsound: escapes.test(text),
    names: 0,
  };
  check(document, '', checking);
  if (checking.names < rules.names)
    throw violation(nameGivenTwice(text), 'is given more than once in one object.');
  return document;
}

/** NUL and both halves of surrogate pairs. */
const escapes = /\\u(?:0000|d[89a-f])/i;

interface Checking {
  /** Absent where no text of the document can be too long. */
  readonly longest: number | undefined;
  readonly mayBeUnsound: boolean;
  names: number;
}

const UNSOUND = 'holds a character that no text can hold: NUL, or half of a surrogate pair';

function check(value: unknown, path: string, checking: Checking): void {
  if (typeof value === 'string') {
    if (checking.longest !== undefined && value.length > checking.longest)
      throw violation(path, `must NOT have more than ${checking.longest} characters`);
    if (checking.mayBeUnsound && !isSound(value)) throw violation(path, UNSOUND);
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
  // As a field it would change what an object is.
  if (name === '__proto__') throw generalFaults.INVALID_ATTRIBUTE(name);
  if (checking.mayBeUnsound && !isSound(name)) throw violation(path, `has a field whose name ${UNSOUND}`);
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/** The first name that an object holds twice, of a text that is known to be JSON. */
function nameGivenTwice(text: string): string {
  /** Names seen in each open object; nothing for an open list. */
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
  throw new TypeError('No name is given twice, although there are more names than fields');
}

/** The place of the closing quote. */
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
