import { generalFaults, violation } from '../faults.ts';
import { isSound } from '../sound-text.ts';

/**
 * Parses JSON. Throws `MALFORMED_JSON` for what is none, and `VALIDATION_ERROR` for a document that is nested too
 * deep, holds a text that is none, or names a field of one object twice, of which `JSON.parse` would silently take the
 * last.
 */
export function parseJson(text: string, maxDepth: number): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw generalFaults.MALFORMED_JSON();
  }
  checkStructure(text, maxDepth);
  // Only an escape can write what is no text: bytes that are none were refused as no UTF-8, and a bare NUL as no JSON.
  if (escapes.test(text)) checkTexts(document, '');
  return document;
}

/** NUL and both halves of surrogate pairs. */
const escapes = /\\u(?:0000|d[89a-f])/i;

function checkTexts(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!isSound(value)) throw violation(path, UNSOUND);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (!isSound(name)) throw violation(path, `has a field whose name ${UNSOUND}`);
      checkTexts(inner, path === '' ? name : `${path}.${name}`);
    }
  }
}

const UNSOUND = 'holds a character that no text can hold: NUL, or half of a surrogate pair';

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/** Walks over a text that is known to be JSON, looking at brackets and names alone. */
function checkStructure(text: string, maxDepth: number): void {
  /** Names seen in each open object; nothing for an open array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        open.push(new Set());
        break;
      case '[':
        open.push(undefined);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isName(text, end)) addName(open.at(-1), nameAt(text, at, end));
        at = end;
        break;
      }
    }
    if (open.length > maxDepth) throw violation('', `The document is nested deeper than ${maxDepth} levels.`);
  }
}

/** The place of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 32) at++;
  return text.charCodeAt(at) === COLON;
}

function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end);
  return name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name;
}

function addName(names: Set<string> | undefined, name: string): void {
  if (names?.has(name)) throw violation(name, 'is given more than once in one object.');
  // As a field it would change what an object is.
  if (name === '__proto__') throw generalFaults.INVALID_ATTRIBUTE(name);
  names?.add(name);
}
