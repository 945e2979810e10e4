import { typeName } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { boolOf, double, type Element, isNumber, string, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { compileExpression } from '../../expression/compile.ts';
import type { Expression } from '../../expression/expression.ts';
import { addMetadata } from '../../metadata.ts';
import { readOptions } from '../options.ts';
import { anywhere } from '../position.ts';
import type { Stage, StageContext, StageTable } from '../stage.ts';
import { readsInput } from '../stage-access.ts';
import { chooses, givesScore, inQueries } from '../stage-facts.ts';
import { scoreDetails } from './details.ts';
import { checkObject } from './inputs.ts';
import { readNormalization } from './normalization.ts';

/** Assigns each document the score that an expression computes. */
export const scoreStages: StageTable = {
  $score: {
    compile: compileScore,
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: givesScore,
    fusion: { ...chooses, scores: 'anywhere' },
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: false,
  },
};

function compileScore(spec: Value, { environment }: StageContext): Stage {
  checkObject('$score', spec);
  const options = readOptions('$score', spec, {
    score: 'any!',
    normalization: 'string',
    weight: 'number',
    scoreDetails: 'bool',
  });
  const expression = compileExpression(options.score as Element, environment);
  const normalize = readNormalization(options.normalization, '$score.normalization');
  const normalization = options.normalization === undefined ? 'none' : textOf(options.normalization);
  const weight = options.weight === undefined ? 1 : weightOf(options.weight);
  const detailed = options.scoreDetails !== undefined && boolOf(options.scoreDetails);
  return function* (docs) {
    // Normalization needs all scores before the first document can be returned.
    const held: RawDocument[] = [];
    const raw: number[] = [];
    for (const given of docs) {
      environment.statement.check();
      const doc = given.compact();
      held.push(doc);
      raw.push(scoreOf(expression, doc));
    }
    const values = normalize(raw);
    for (const [i, doc] of held.entries()) {
      const score = (values[i] as number) * weight;
      const details = detailed ? detailsOf(score, raw[i] as number, normalization, weight) : undefined;
      addMetadata(doc, details === undefined ? { score } : { score, scoreDetails: details });
      yield doc;
    }
  };
}

function scoreOf(expression: Expression, doc: RawDocument): number {
  const value = expression.evaluate({ root: doc });
  if (value !== undefined && isNumber(value)) return toNumber(value);
  throw new ServerError(
    'TypeMismatch',
    `$score must evaluate to a number, but found type ${typeName(value?.type)}`,
  );
}

function weightOf(element: Element): number {
  const weight = toNumber(element);
  if (weight >= 0 && weight <= 1) return weight;
  throw new ServerError(
    'BadValue',
    `BSON field '$score.weight' must be between 0 and 1, actual value '${weight}'`,
  );
}

function detailsOf(value: number, rawScore: number, normalization: string, weight: number): Value {
  return scoreDetails(value, {
    description:
      'the score calculated from multiplying a weight in the range [0,1] with either a normalized or ' +
      'nonnormalized value:',
    more: { rawScore: double(rawScore), normalization: string(normalization), weight: double(weight) },
    details: [],
  });
}
