import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, int64, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { checkFieldPath } from '../field-path.ts';
import { StageMemory } from '../workspace.ts';
import { fieldAt, withField } from './document-fields.ts';
import { anywhere } from './position.ts';
import type { StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { carriesMetadata, inQueries } from './stage-facts.ts';

export const unwindStages: StageTable = {
  $unwind: {
    compile(spec, { environment: { statement, workspace } }) {
      const unwind = parseUnwind(spec);
      return function* (docs) {
        // An earlier stage can create a document of 100 MB, which stays in memory until its last entry has been read.
        const memory = new StageMemory(workspace);
        try {
          for (const doc of docs) {
            memory.bytes = doc.length;
            yield* unwound(doc, unwind, statement);
          }
        } finally {
          memory.bytes = 0;
        }
      };
    },
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

interface Unwind {
  readonly path: readonly string[];
  /** The field that receives the index of the entry. */
  readonly index?: readonly string[];
  /** True if a document without entries is kept. */
  readonly preserve: boolean;
}

/** Yields one document per entry of the array at the path. */
function* unwound(
  doc: RawDocument,
  { path, index, preserve }: Unwind,
  statement: Statement,
): Iterable<RawDocument> {
  const value = fieldAt(doc, path);
  const numbered = (result: RawDocument, position: Value) =>
    index === undefined ? result : withField(result, index, position);
  if (value?.type === bsonTypes.array) {
    let count = 0n;
    // Reads one entry at a time, because an object per entry may take ten times the bytes of the array.
    for (const entry of documentOf(value)) {
      statement.check();
      yield numbered(withField(doc, path, entry), int64(count++));
    }
    if (count === 0n && preserve) yield numbered(withField(doc, path, undefined), nullValue);
    return;
  }
  const missing = value === undefined || value.type === bsonTypes.null || value.type === bsonTypes.undefined;
  if (!missing || preserve) yield numbered(doc, nullValue);
}

function parseUnwind(spec: Value): Unwind {
  if (spec.type === bsonTypes.string) return { path: pathOf(spec), preserve: false };
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeName(spec.type)}`,
    );
  }
  const found: { path?: readonly string[]; index?: readonly string[]; preserve: boolean } = {
    preserve: false,
  };
  for (const element of documentOf(spec)) {
    switch (element.name) {
      case 'path':
        found.path = pathOf(element);
        break;
      case 'preserveNullAndEmptyArrays':
        found.preserve = preserves(element);
        break;
      case 'includeArrayIndex':
        found.index = indexPath(element);
        break;
      default:
        throw new ServerError(28811, `unrecognized option to $unwind stage: ${element.name}`);
    }
  }
  const { path } = found;
  if (path === undefined) throw new ServerError(28812, 'no path specified to $unwind stage');
  return { ...found, path };
}

function pathOf(value: Value): readonly string[] {
  if (value.type !== bsonTypes.string) {
    throw new ServerError(
      28808,
      `expected a string as the path for $unwind stage, got ${typeName(value.type)}`,
    );
  }
  const text = textOf(value);
  if (text === '') throw new ServerError(28812, 'no path specified to $unwind stage');
  if (!text.startsWith('$')) {
    throw new ServerError(28818, `path option to $unwind stage should be prefixed with a '$': ${text}`);
  }
  if (text.includes('\0')) throw new ServerError(16419, 'field path must not contain null bytes');
  checkFieldPath(text.slice(1));
  return text.slice(1).split('.');
}

function preserves(value: Value): boolean {
  if (value.type === bsonTypes.bool) return boolOf(value);
  throw new ServerError(
    28809,
    'expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got ' +
      typeName(value.type),
  );
}

function indexPath(value: Value): readonly string[] {
  if (value.type !== bsonTypes.string || textOf(value) === '') {
    throw new ServerError(
      28810,
      'expected a non-empty string for the includeArrayIndex option to $unwind stage, got ' +
        typeName(value.type),
    );
  }
  const text = textOf(value);
  if (text.startsWith('$')) {
    throw new ServerError(
      28822,
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${text}`,
    );
  }
  checkFieldPath(text);
  return text.split('.');
}
