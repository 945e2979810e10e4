import { partsOf } from './path-template.ts';

/** What a path leads to, with the values of its parameters in their order. */
export interface PathMatch<T> {
  readonly value: T;
  readonly values: readonly string[];
}

interface Place<T> {
  readonly named: Map<string, Place<T>>;
  /** Behind a parameter: by the verb that follows it (`:pin`), or by nothing. */
  readonly verbs: Map<string, Place<T>>;
  /** Behind a parameter that something else follows in its segment (`.gz`). */
  readonly endings: Map<string, Place<T>>;
  readonly found: T[];
}

/** Longer ones are nobody's. */
const MAX_VALUE_LENGTH = 4096;

/**
 * What stands at paths, each given as a template. A tree of segments, of which 600 templates take a millisecond: the
 * router of the HTTP library, which compiles each of them, took 50 of every start, and knows no custom methods.
 */
export class PathTree<T> {
  readonly #root = place<T>();

  add(template: string, value: T): void {
    let at = this.#root;
    for (const segment of segmentsOf(template)) {
      const [literal = '', parameter, rest = ''] = partsOf(segment);
      const behind = rest === '' || rest.startsWith(':') ? at.verbs : at.endings;
      at = parameter === undefined ? below(at.named, literal) : below(behind, rest);
    }
    at.found.push(value);
  }

  /** All that fits a path as it stands in a request line: what is written there before what a parameter stands for. */
  match(path: string): readonly PathMatch<T>[] {
    const matches: PathMatch<T>[] = [];
    let segments: readonly Segment[];
    try {
      segments = segmentsOf(path).map(readSegment);
    } catch {
      return matches;
    }
    const walk = (at: Place<T>, index: number, values: readonly string[]): void => {
      const segment = segments[index];
      if (segment === undefined) {
        for (const value of at.found) matches.push({ value, values });
        return;
      }
      const { text, name, verb } = segment;
      const next = (to: Place<T> | undefined, own: readonly string[]) => to && walk(to, index + 1, own);
      next(at.named.get(text), values);
      if (text === '' || text.length > MAX_VALUE_LENGTH) return;
      if (verb !== '' && name !== '') next(at.verbs.get(verb), [...values, name]);
      for (const [ending, to] of at.endings) {
        if (text.endsWith(ending) && text !== ending) next(to, [...values, text.slice(0, -ending.length)]);
      }
      next(at.verbs.get(''), [...values, text]);
    };
    walk(this.#root, 0, []);
    return matches;
  }
}

interface Segment {
  /** Decoded, as a whole. */
  readonly text: string;
  /** What stands before the first colon, and the rest as it was written. */
  readonly name: string;
  readonly verb: string;
}

/** Throws a URIError for a segment that is not well formed. */
function readSegment(written: string): Segment {
  const colon = written.indexOf(':');
  const text = decoded(written);
  if (colon < 0) return { text, name: text, verb: '' };
  return { text, name: decoded(written.slice(0, colon)), verb: written.slice(colon) };
}

function decoded(written: string): string {
  return written.includes('%') ? decodeURIComponent(written) : written;
}

/** A slash at the end changes nothing. */
function segmentsOf(path: string): readonly string[] {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return end <= 0 ? [] : path.slice(1, end).split('/');
}

function place<T>(): Place<T> {
  return { named: new Map(), verbs: new Map(), endings: new Map(), found: [] };
}

function below<T>(places: Map<string, Place<T>>, name: string): Place<T> {
  const known = places.get(name) ?? place<T>();
  places.set(name, known);
  return known;
}
