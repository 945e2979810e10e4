import { operationsIn } from '../dialect/operations-in.ts';
import { CompressibleBody } from '../http/content-coding.ts';
import { type DocumentInput, documentSteps } from './document.ts';
import { type Edition, editionsOf } from './edition.ts';
import { stablePieces } from './json.ts';
import { inTurns, type Steps } from './steps.ts';

/** A text that is generated once and served as is. */
export interface ServedText {
  readonly body: string;
  /** The same text, in the content codings that clients request. */
  readonly content: CompressibleBody;
  readonly contentType: string;
}

export function servedText(body: string, contentType: string): ServedText {
  return { body, content: new CompressibleBody(body), contentType };
}

/** The OpenAPI documents of a running service, each generated on first request. */
export class DocumentLibrary {
  readonly #input: DocumentInput;
  readonly #made = new Map<string, Promise<ServedText>>();
  #editions: readonly Edition[] | undefined;

  constructor(input: DocumentInput) {
    this.#input = input;
  }

  /**
   * The editions are computed on first use, so that a further service in the same process starts 5% faster.
   */
  get editions(): readonly Edition[] {
    const { dialect, operations } = this.#input;
    this.#editions ??= editionsOf(operationsIn(dialect?.changes, operations));
    return this.#editions;
  }

  /** Returns the document of an edition, such as `2025-03-12` or `v1.0`; undefined for an unknown name. */
  async get(name: string): Promise<ServedText | undefined> {
    const known = this.#made.get(name);
    if (known) return known;
    const edition = this.editions.find((one) => one.name === name);
    if (!edition) return undefined;
    const made = inTurns(textSteps(edition, this.#input));
    this.#made.set(name, made);
    return made;
  }
}

/**
 * Down to this depth, the members of objects are serialized one at a time, with pauses for other requests. A value at
 * this depth is a path or a component.
 */
const LEVELS = 3;

function* textSteps(edition: Edition, input: DocumentInput): Steps<ServedText> {
  let text = '';
  for (const piece of stablePieces(yield* documentSteps(edition, input), LEVELS)) {
    text += piece;
    yield;
  }
  return servedText(text, 'application/json; charset=utf-8');
}
