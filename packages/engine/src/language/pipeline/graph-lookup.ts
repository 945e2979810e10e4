import { bsonTypes } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, int64, isNumber, textOf, trueValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { arrayOf } from '../expression/field-path.ts';
import { checkFieldPath } from '../field-path.ts';
import { checkAllowed } from '../filter/allowed.ts';
import { compileFilter } from '../filter/compile.ts';
import type { Filter } from '../filter/filter.ts';
import { type Path, pathOf } from '../paths.ts';
import { OVERHEAD, outOfMemory, STAGE_BYTES, StageMemory } from '../workspace.ts';
import { withField } from './document-fields.ts';
import { namespaceOf } from './lookup.ts';
import { bytesOfKeys, keyOf, keysMetAt, valuesAt } from './path-values.ts';
import type { Namespace } from './pipeline-environment.ts';
import { anywhere } from './position.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { readsFrom } from './stage-access.ts';
import { carriesMetadata, inQueries } from './stage-facts.ts';

export const graphLookupStages: StageTable = {
  $graphLookup: {
    compile: compileGraphLookup,
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsFrom,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

interface GraphLookup {
  readonly from: Namespace;
  readonly as: readonly string[];
  readonly startWith: Expression;
  readonly connectFrom: Path;
  readonly connectTo: Path;
  readonly maxDepth: number;
  readonly depthField?: readonly string[];
  readonly restrict?: Filter;
  /** Matches documents that have the field to connect to. A null value reaches no others. */
  readonly exists: Filter;
}

/** Follows references between documents from a start value and collects the documents that it reaches. */
function compileGraphLookup(spec: Value, context: StageContext): Stage {
  const { comparison } = context.environment;
  const lookup = parse(spec, context.environment);
  return function* (docs) {
    const index = new Map<string, RawDocument[]>();
    const memory = new StageMemory(context.environment.workspace);
    try {
      for (const given of context.pipelineEnvironment.read(lookup.from, undefined, context.depth)) {
        context.environment.statement.check();
        if (lookup.restrict?.matches(given) === false || !lookup.exists.matches(given)) continue;
        const doc = given.compact();
        memory.bytes += doc.length + OVERHEAD;
        const keys = keysMetAt(lookup.connectTo, doc, comparison);
        memory.bytes += bytesOfKeys(keys);
        for (const key of keys) {
          const found = index.get(key);
          if (found === undefined) index.set(key, [doc]);
          else found.push(doc);
        }
        if (memory.bytes > STAGE_BYTES) throw tooManyDocuments();
      }
      for (const doc of docs) {
        const reached = reach(doc, lookup, index, context.environment);
        yield withField(doc, lookup.as, arrayOf(reached.map((each) => each.toValue())));
      }
    } finally {
      memory.bytes = 0;
    }
  };
}

/** Estimated memory of a value that is looked up next. */
const VALUE_BYTES = 96;

function tooManyDocuments(): ServerError {
  return outOfMemory('$graphLookup reached maximum memory consumption', 40099);
}

function reach(
  doc: RawDocument,
  { startWith, connectFrom, maxDepth, depthField }: GraphLookup,
  index: ReadonlyMap<string, readonly RawDocument[]>,
  { comparison, statement }: Environment,
): RawDocument[] {
  const start = startWith.evaluate({ root: doc });
  let frontier = start === undefined ? [] : start.type === bsonTypes.array ? entriesOf(start) : [start];
  const queried = new Set<string>();
  const reached = new Set<RawDocument>();
  const results: RawDocument[] = [];
  for (let depth = 0; depth <= maxDepth && frontier.length > 0; depth++) {
    const next: Value[] = [];
    for (const value of frontier) {
      const key = keyOf(value, comparison);
      if (queried.has(key)) continue;
      queried.add(key);
      for (const found of index.get(key) ?? []) {
        statement.check();
        if (reached.has(found)) continue;
        reached.add(found);
        results.push(depthField === undefined ? found : withField(found, depthField, int64(BigInt(depth))));
        for (const one of valuesAt(connectFrom, found)) next.push(one);
        if (next.length * VALUE_BYTES > STAGE_BYTES) throw tooManyDocuments();
      }
    }
    frontier = next;
  }
  return results;
}

function parse(spec: Value, environment: Environment): GraphLookup {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      'FailedToParse',
      `the $graphLookup stage specification must be an object, but found ${describe(spec)}`,
    );
  }
  const parsed: { -readonly [K in keyof GraphLookup]?: GraphLookup[K] } = {
    maxDepth: Number.POSITIVE_INFINITY,
  };
  for (const element of documentOf(spec)) {
    switch (element.name) {
      case 'from':
        parsed.from = namespaceOf(element, '$graphLookup');
        break;
      case 'startWith':
        parsed.startWith = compileExpression(element, environment);
        break;
      case 'maxDepth':
        parsed.maxDepth = depthOf(element);
        break;
      case 'restrictSearchWithMatch':
        parsed.restrict = restriction(element, environment);
        break;
      case 'as':
        parsed.as = fieldPath(element).split('.');
        break;
      case 'depthField':
        parsed.depthField = fieldPath(element).split('.');
        break;
      case 'connectFromField':
        parsed.connectFrom = pathOf(fieldPath(element));
        break;
      case 'connectToField':
        parsed.connectTo = pathOf(fieldPath(element));
        break;
      default:
        throw new ServerError(40104, `unknown argument to $graphLookup: ${element.name}`);
    }
  }
  const { from, as, startWith, connectFrom, connectTo } = parsed;
  if (!from || !as || !startWith || !connectFrom || !connectTo) {
    throw new ServerError(
      40105,
      "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.",
    );
  }
  const present = writeDocument((writer) => writer.field('$exists', trueValue));
  const exists = writeDocument((writer) => writer.field(connectTo.text, present.toValue()));
  return { ...(parsed as GraphLookup), exists: compileFilter(exists, environment) };
}

function depthOf(element: Element): number {
  if (!isNumber(element))
    throw new ServerError(40100, `maxDepth must be numeric, found: ${describe(element)}`);
  const depth = exactInteger(element);
  if (depth === undefined) throw new ServerError(40102, `maxDepth could not be represented as a long long`);
  if (depth < 0n) throw new ServerError(40101, `maxDepth requires a nonnegative argument, found: ${depth}`);
  return Number(depth);
}

function restriction(element: Element, environment: Environment): Filter {
  if (element.type !== bsonTypes.object) {
    throw new ServerError(40185, 'restrictSearchWithMatch must be an object');
  }
  checkAllowed(documentOf(element));
  return compileFilter(documentOf(element), environment);
}

function fieldPath(element: Element): string {
  if (element.type !== bsonTypes.string) {
    throw new ServerError(
      40103,
      `expected string as argument for ${element.name}, found: ${describe(element)}`,
    );
  }
  const text = textOf(element);
  checkFieldPath(text);
  return text;
}
