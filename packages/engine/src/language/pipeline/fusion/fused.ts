import { byBytes } from '../../../bson/collation/comparison.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { nullValue, type Value } from '../../../bson/value.ts';
import type { Statement } from '../../../statement/statement.ts';
import { addMetadata } from '../../metadata.ts';
import { DocumentList } from '../../spill/document-list.ts';
import type { Stage, StageContext } from '../stage.ts';
import type { Input } from './inputs.ts';

/** A document that at least one input returned, with its result in each input. */
interface Fused<T> {
  readonly doc: RawDocument;
  readonly id: Value;
  readonly parts: ReadonlyArray<T | undefined>;
}

export interface Scored {
  readonly score: number;
  readonly details: Value | undefined;
}

/**
 * Runs each input on the same documents. Returns each document once with its score, in descending order; documents with
 * equal scores are sorted by `_id`. `judge` evaluates the documents of one input.
 */
export function fusing<T>(
  stage: string,
  inputs: readonly Input[],
  { environment }: StageContext,
  judge: (docs: Iterable<RawDocument>, input: Input) => Iterable<readonly [RawDocument, T]>,
  score: (parts: ReadonlyArray<T | undefined>) => Scored,
): Stage {
  return function* (docs) {
    const all = new DocumentList(environment, stage);
    try {
      for (const doc of docs) all.add(doc);
      const judged = inputs.map((input) => judge(input.pipeline.run(all), input));
      const scored = [...gathered(judged, environment.statement).values()].map((fused) => ({
        ...fused,
        ...score(fused.parts),
      }));
      scored.sort((a, b) => b.score - a.score || byBytes.compare(a.id, b.id));
      for (const { doc, score, details } of scored) {
        addMetadata(doc, details === undefined ? { score } : { score, scoreDetails: details });
        yield doc;
      }
    } finally {
      all.close();
    }
  };
}

function gathered<T>(
  inputs: ReadonlyArray<Iterable<readonly [RawDocument, T]>>,
  statement: Statement,
): Map<string, Fused<T>> {
  const found = new Map<string, { doc: RawDocument; id: Value; parts: (T | undefined)[] }>();
  for (const [place, judged] of inputs.entries()) {
    for (const [doc, part] of judged) {
      statement.check();
      const id = doc.get('_id') ?? nullValue;
      const key = byBytes.keyText(id);
      const known = found.get(key) ?? { doc, id, parts: inputs.map(() => undefined) };
      known.parts[place] = part;
      found.set(key, known);
    }
  }
  return found;
}
