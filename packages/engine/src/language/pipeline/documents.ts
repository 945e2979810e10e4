import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileExpression } from '../expression/compile.ts';
import { OVERHEAD, StageMemory } from '../workspace.ts';
import { onlyFirst } from './position.ts';
import type { StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { atTheSource, carriesMetadata } from './stage-facts.ts';

/** The stage whose specification lists its documents. */
export const documentsStages: StageTable = {
  $documents: {
    compile(spec, { environment }) {
      const value = compileExpression(spec, environment).evaluate({ root: RawDocument.empty });
      if (value?.type !== bsonTypes.array) throw new ServerError(5858203, '$documents needs an array');
      const docs = entriesOf(value).map((entry) => {
        if (entry.type !== bsonTypes.object) {
          throw new ServerError(40228, '$documents needs an array of documents');
        }
        return documentOf(entry);
      });
      new StageMemory(environment.workspace).bytes = value.end - value.start + docs.length * OVERHEAD;
      return () => docs;
    },
    source: 'noCollection',
    position: onlyFirst,
    within: { ...atTheSource, view: 'needsNoCollection' },
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};
