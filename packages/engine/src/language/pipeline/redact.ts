import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { string, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { compileBound } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { arrayOf } from '../expression/field-path.ts';
import { anywhere } from './position.ts';
import type { StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { carriesMetadata, inQueries } from './stage-facts.ts';

const decisions = new Map<string, Value>([
  ['KEEP', string('keep')],
  ['PRUNE', string('prune')],
  ['DESCEND', string('descend')],
]);

export const redactStages: StageTable = {
  $redact: {
    compile(spec, { environment }) {
      const constants = new Map([...environment.constants, ...decisions]);
      const expression = compileBound(spec, ['CURRENT'], { ...environment, constants });
      return function* (docs) {
        for (const root of docs) {
          const kept = redacted(root, root.toValue(), { expression, statement: environment.statement });
          if (kept !== undefined) yield documentOf(kept);
        }
      };
    },
    source: 'input',
    position: anywhere,
    within: { ...inQueries, changeStream: true },
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

interface Redaction {
  readonly expression: Expression;
  readonly statement: Statement;
}

/** Redacts a document, which may be nested in the root document. Returns what is left of it. */
function redacted(root: RawDocument, current: Value, redaction: Redaction): Value | undefined {
  redaction.statement.check();
  const decision = redaction.expression.evaluate({ root, variables: [current] });
  switch (decision?.type === bsonTypes.string ? textOf(decision) : '') {
    case 'keep':
      return current;
    case 'prune':
      return undefined;
    case 'descend':
      return descended(root, current, redaction);
    default:
      throw new ServerError(17053, '$redact must resolve to $$KEEP, $$PRUNE, or $$DESCEND');
  }
}

function descended(root: RawDocument, current: Value, redaction: Redaction): Value {
  return writeDocument((writer) => {
    for (const element of documentOf(current)) {
      const kept = redactedInside(root, element, redaction);
      if (kept !== undefined) writer.field(element.name, kept);
    }
  }).toValue();
}

/** Redacts the documents in a value. In an array, each document is kept or dropped separately. */
function redactedInside(root: RawDocument, value: Value, redaction: Redaction): Value | undefined {
  if (value.type === bsonTypes.object) return redacted(root, value, redaction);
  if (value.type !== bsonTypes.array) return value;
  const entries = entriesOf(value).map((entry) => redactedInside(root, entry, redaction));
  return arrayOf(entries.filter((entry) => entry !== undefined));
}
