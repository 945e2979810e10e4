import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { byBytes } from '../../../bson/collation/comparison.ts';
import { documentOf } from '../../../bson/raw.ts';
import { type Element, string, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { compileExpression } from '../../expression/compile.ts';
import { checkFieldPath } from '../../field-path.ts';
import { inheritMetadata } from '../../metadata.ts';
import { keepParts } from '../../parts.ts';
import { compileSort } from '../../sort.ts';
import { memoryOnly } from '../../workspace.ts';
import { withFields } from '../document-fields.ts';
import { readOptions } from '../options.ts';
import { anywhere } from '../position.ts';
import type { Stage, StageContext, StageTable } from '../stage.ts';
import { readsInput } from '../stage-access.ts';
import { carriesMetadata, inQueries } from '../stage-facts.ts';
import { wrong } from './frame.ts';
import { compileFunction } from './functions.ts';
import type { WindowFunction } from './partition.ts';
import { partitionsOf } from './partitions.ts';

export const windowStages: StageTable = {
  $setWindowFields: {
    compile: compileWindowFields,
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsInput,
    readConcern: 'any',
    shapesPlan: true,
    stableApi: true,
  },
};

interface Output {
  readonly path: readonly string[];
  readonly compute: WindowFunction;
}

/** Compiles `$setWindowFields`, which computes fields from neighboring documents in the sort order of a partition. */
export function compileWindowFields(spec: Value, { environment }: StageContext): Stage {
  if (spec.type !== bsonTypes.object) {
    throw wrong(`the $setWindowFields stage specification must be an object, found ${typeName(spec.type)}`);
  }
  const options = readOptions('$setWindowFields', spec, {
    partitionBy: 'any',
    sortBy: 'object',
    output: 'object!',
  });
  const by = options.partitionBy && compileExpression(options.partitionBy, environment);
  const { comparison = byBytes, workspace = memoryOnly, statement } = environment;
  const sort = options.sortBy && compileSort(documentOf(options.sortBy), environment);
  const outputs = [...documentOf(options.output as Element)].map((element): Output => {
    statement.check();
    keepParts('a pipeline');
    checkFieldPath(element.name);
    return { path: element.name.split('.'), compute: compileFunction(element, environment, sort) };
  });
  checkConflicts(outputs.map(({ path }) => path));
  const [only, ...others] = sort?.parts ?? [];
  const sortValue =
    only === undefined || others.length > 0
      ? undefined
      : compileExpression(string(`$${only.path.text}`), environment);
  return function* (docs) {
    for (const ordered of partitionsOf(docs, { by, sort, comparison, workspace, statement })) {
      const columns = outputs.map(({ compute }) => compute({ docs: ordered, sort, sortValue }));
      for (const [place, doc] of ordered.entries()) {
        // Checks for interruption per document, because a function may read the whole window each time.
        statement.checkNow();
        const values = outputs.map(({ path }, i) => [path, columns[i]?.(place)] as const);
        const output = withFields(doc, values, statement);
        inheritMetadata(doc, output);
        yield output;
      }
    }
  };
}

function checkConflicts(paths: ReadonlyArray<readonly string[]>): void {
  const names = new Set(paths.map((path) => path.join('.')));
  const within = paths.some((path) => path.some((_, i) => i > 0 && names.has(path.slice(0, i).join('.'))));
  if (names.size === paths.length && !within) return;
  throw new ServerError(6307900, 'specification contains two conflicting paths');
}
