import { RawDocument } from '../bson/raw.ts';
import { splitSections } from './sections.ts';

/**
 * The documents of an OP_MSG, checked: throws `MalformedMessage` when the message is broken, `InvalidBSON` and its
 * like when a document is.
 */
export function parseSections(bytes: Uint8Array): {
  body: RawDocument;
  sequences: Map<string, RawDocument[]>;
} {
  const { body, sequences } = splitSections(bytes);
  const parsed = new Map<string, RawDocument[]>();
  for (const [name, documents] of sequences)
    parsed.set(
      name,
      documents.map((document) => RawDocument.of(document)),
    );
  return { body: RawDocument.of(body), sequences: parsed };
}
