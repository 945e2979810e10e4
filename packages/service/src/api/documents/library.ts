import { createHash } from 'node:crypto';
import { type DocumentInput, openApiDocument } from './document.ts';
import { type Edition, editionsOf } from './edition.ts';
import { stableText } from './json.ts';

/** A text that is made once and served as it is. */
export interface ServedText {
  readonly body: string;
  readonly contentType: string;
  /** With its quotes. */
  readonly etag: string;
}

export function servedText(body: string, contentType: string): ServedText {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, contentType, etag: `"${digest}"` };
}

/** The OpenAPI documents of a running service, each made when it is first asked for. */
export class DocumentLibrary {
  readonly #input: DocumentInput;
  readonly #made = new Map<string, ServedText>();
  #editions: readonly Edition[] | undefined;

  constructor(input: DocumentInput) {
    this.#input = input;
  }

  /** Looking through all shapes takes 5% of the start of a second service in a process, which may never be asked. */
  get editions(): readonly Edition[] {
    this.#editions ??= editionsOf(this.#input.operations);
    return this.#editions;
  }

  /** The document of `2025-03-12`, `v1.0`; nothing for a name that no edition has. */
  get(name: string): ServedText | undefined {
    const made = this.#made.get(name);
    if (made) return made;
    const edition = this.editions.find((one) => one.name === name);
    if (!edition) return undefined;
    const document = stableText(openApiDocument(edition, this.#input));
    const text = servedText(document, 'application/json; charset=utf-8');
    this.#made.set(name, text);
    return text;
  }
}
