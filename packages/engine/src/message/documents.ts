import { RawDocument } from '../bson/raw.ts';
import { checkBatch } from './batch-size.ts';
import { splitSections } from './sections.ts';

/**
 * Maximum number of fields of a command, apart from nested fields. Reading an argument takes time in proportion to this
 * number, and commands have dozens of arguments. The command with the most arguments has fewer than a hundred.
 */
const MAX_COMMAND_FIELDS = 10_000;

/**
 * Parses and validates the documents of an OP_MSG. Throws `MalformedMessage` for a broken message, and
 * `InvalidBSON` or related errors for a broken document.
 */
export function parseSections(bytes: Uint8Array): {
  body: RawDocument;
  sequences: Map<string, RawDocument[]>;
} {
  const { body, sequences, largest } = splitSections(bytes);
  if (largest > 0) checkBatch(largest);
  const parsed = new Map<string, RawDocument[]>();
  for (const [name, documents] of sequences)
    parsed.set(
      name,
      documents.map((document) => RawDocument.of(document)),
    );
  return { body: RawDocument.of(body, MAX_COMMAND_FIELDS), sequences: parsed };
}
