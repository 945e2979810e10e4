import { writeDocument } from '../../../bson/document-writer.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { boolOf, double, type Element, isNumber, string, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../environment.ts';
import { compileBound } from '../../expression/compile.ts';
import { scoreOf } from '../../metadata.ts';
import { readOptions } from '../options.ts';
import type { Stage, StageContext, StageTable } from '../stage.ts';
import { inputDetails, scoreDetails } from './details.ts';
import { fusing } from './fused.ts';
import { checkObject, fusesInputs, type Input, type InputRules, readInputs } from './inputs.ts';
import { type Normalize, readNormalization, refuseValue } from './normalization.ts';
import { readWeights } from './weights.ts';

/** Sorts documents by the average, or an expression, of their scores in several pipelines. */
export const scoreFusionStages: StageTable = {
  $scoreFusion: {
    compile: compileScoreFusion,
    ...fusesInputs,
  },
};

const rules: InputRules = {
  stage: '$scoreFusion',
  empty: 9402503,
  nested: 10473003,
  duplicate: 9402203,
  altering: 9402502,
  needs: 'scores',
  missing: () =>
    new ServerError(
      9402500,
      'All subpipelines to the $scoreFusion stage must begin with one of $search, $vectorSearch, or have a ' +
        'custom $score in the pipeline.',
    ),
};

interface InputScore {
  readonly raw: number;
  readonly value: number;
}

type Combine = (scores: readonly number[]) => number;

function compileScoreFusion(spec: Value, context: StageContext): Stage {
  checkObject('$scoreFusion', spec);
  const options = readOptions('$scoreFusion', spec, {
    input: 'object!',
    combination: 'object',
    scoreDetails: 'bool',
  });
  const input = readOptions('$scoreFusion.input', options.input as Element, {
    pipelines: 'object!',
    normalization: 'string!',
  });
  const combination =
    options.combination === undefined
      ? {}
      : readOptions('$scoreFusion.combination', options.combination, {
          weights: 'object',
          method: 'string',
          expression: 'any',
        });
  const normalize = readNormalization(input.normalization, '$scoreFusion.input.normalization');
  const inputs = readInputs(input.pipelines as Element, rules, context);
  const weights = readWeights(combination.weights, inputs, '$scoreFusion');
  const method = combination.method === undefined ? 'avg' : textOf(combination.method);
  checkMethod(method, combination.expression, combination.weights);
  const combine =
    combination.expression === undefined
      ? average
      : combining(combination.expression, inputs, context.environment);
  const detailed = options.scoreDetails !== undefined && boolOf(options.scoreDetails);
  const shownOptions = { normalization: textOf(input.normalization as Element), method, weights };
  return fusing(
    '$scoreFusion',
    inputs,
    context,
    (docs, { name }) => judged(docs, normalize, weights.get(name) ?? 1),
    (parts) => {
      const score = combine(inputs.map((_, place) => parts[place]?.value ?? 0));
      return { score, details: detailed ? detailsOf(score, inputs, parts, shownOptions) : undefined };
    },
  );
}

function checkMethod(method: string, expression: Element | undefined, weights: Element | undefined): void {
  if (method !== 'avg' && method !== 'expression') refuseValue(method, '$scoreFusion.combination.method');
  if ((method === 'expression') !== (expression !== undefined)) {
    throw new ServerError(
      10017300,
      'combination.expression should only be specified when combination.method has the value "expression"',
    );
  }
  if (expression === undefined || weights === undefined) return;
  throw new ServerError(10017301, 'both combination.expression and combination.weights cannot be specified');
}

function average(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(scores.length, 1);
}

/**
 * Compiles an expression that combines the scores of the inputs. It reads each score from the variable with the input's
 * name.
 */
function combining(spec: Element, inputs: readonly Input[], environment: Environment): Combine {
  const names = inputs.map(({ name }) => name);
  const expression = compileBound(spec, names, environment);
  return (scores) => {
    const value = expression.evaluate({ root: RawDocument.empty, variables: scores.map(double) });
    if (value !== undefined && isNumber(value)) return toNumber(value);
    throw new ServerError('TypeMismatch', 'combination.expression must evaluate to a number');
  };
}

function* judged(
  given: Iterable<RawDocument>,
  normalize: Normalize,
  weight: number,
): Generator<readonly [RawDocument, InputScore]> {
  // The documents are collected first, because another input may assign a different score to the same document.
  const docs = [...given];
  const raw = docs.map((doc) => scoreOf(doc) ?? 0);
  const values = normalize(raw);
  for (const [i, doc] of docs.entries()) {
    yield [doc, { raw: raw[i] as number, value: (values[i] as number) * weight }];
  }
}

function detailsOf(
  score: number,
  inputs: readonly Input[],
  parts: ReadonlyArray<InputScore | undefined>,
  summary: { normalization: string; method: string; weights: ReadonlyMap<string, number> },
): Value {
  const method = string(summary.method === 'avg' ? 'average' : 'custom expression');
  return scoreDetails(score, {
    description:
      'the value calculated by combining the scores (either normalized or raw) across input pipelines from ' +
      'which this document is output from:',
    more: {
      normalization: string(summary.normalization),
      combination: writeDocument((writer) => writer.field('method', method)).toValue(),
    },
    details: inputs.map(({ name }, place) => {
      const part = parts[place];
      const given = part && { measure: double(part.raw), value: part.value };
      return inputDetails(name, 'inputPipelineRawScore', summary.weights.get(name) ?? 1, given);
    }),
  });
}
