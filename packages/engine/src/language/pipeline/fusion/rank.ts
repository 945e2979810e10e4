import type { RawDocument } from '../../../bson/raw.ts';
import { boolOf, type Element, int32, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { scoreOf } from '../../metadata.ts';
import { readOptions } from '../options.ts';
import type { SameRank, Stage, StageContext, StageTable } from '../stage.ts';
import { inputDetails, scoreDetails } from './details.ts';
import { fusing } from './fused.ts';
import { checkObject, fusesInputs, type Input, type InputRules, readInputs } from './inputs.ts';
import { readWeights } from './weights.ts';

/** Sorts documents by their combined ranks in several pipelines. */
export const rankFusionStages: StageTable = {
  $rankFusion: {
    compile: compileRankFusion,
    ...fusesInputs,
  },
};

/** The constant in the formula of reciprocal rank fusion. */
const RANK_CONSTANT = 60;

const rules: InputRules = {
  stage: '$rankFusion',
  empty: 9834300,
  nested: 10473002,
  duplicate: 9921000,
  altering: 9191103,
  needs: 'ranks',
  missing: () =>
    new ServerError(
      9191100,
      'All subpipelines to the $rankFusion stage must begin with one of $search, $vectorSearch, $geoNear, or ' +
        'have a custom $sort in the pipeline.',
    ),
};

function compileRankFusion(spec: Value, context: StageContext): Stage {
  checkObject('$rankFusion', spec);
  const options = readOptions('$rankFusion', spec, {
    input: 'object!',
    combination: 'object',
    scoreDetails: 'bool',
  });
  const { pipelines } = readOptions('$rankFusion.input', options.input as Element, { pipelines: 'object!' });
  const { weights } =
    options.combination === undefined
      ? {}
      : readOptions('$rankFusion.combination', options.combination, { weights: 'object!' });
  const inputs = readInputs(pipelines as Element, rules, context);
  const weightOf = readWeights(weights, inputs, '$rankFusion');
  const detailed = options.scoreDetails !== undefined && boolOf(options.scoreDetails);
  return fusing(
    '$rankFusion',
    inputs,
    context,
    (docs, { specs }) => ranked(docs, tiesOf(specs, context)),
    (parts) => {
      const worth = ({ name }: Input, place: number) => {
        const rank = parts[place]?.rank;
        return rank === undefined ? 0 : (weightOf.get(name) ?? 1) / (RANK_CONSTANT + rank);
      };
      const score = inputs.map(worth).reduce((sum, each) => sum + each, 0);
      return { score, details: detailed ? detailsOf(score, inputs, parts, weightOf) : undefined };
    },
  );
}

interface Ranked {
  readonly rank: number;
  /** The score that the input assigned. */
  readonly value: number | undefined;
}

/**
 * Ranks documents from 1. Documents that tie in the pipeline's last sort all have the rank of the first of
 * them.
 */
function* ranked(docs: Iterable<RawDocument>, same: SameRank): Generator<readonly [RawDocument, Ranked]> {
  let place = 0;
  let rank = 0;
  let before: RawDocument | undefined;
  for (const doc of docs) {
    place++;
    if (before === undefined || !same(before, doc)) rank = place;
    before = doc;
    yield [doc, { rank, value: scoreOf(doc) }];
  }
}

/** Returns a function that tests whether two documents tie in the last stage that sorts documents. */
function tiesOf(specs: readonly RawDocument[], { describe, environment }: StageContext): SameRank {
  for (const spec of specs.toReversed()) {
    const stage = spec.first();
    const role = stage && describe(stage.name)?.fusion;
    if (stage === undefined || typeof role !== 'object' || role.ties === undefined) continue;
    return role.ties(stage, environment);
  }
  return () => false;
}

function detailsOf(
  score: number,
  inputs: readonly Input[],
  parts: ReadonlyArray<Ranked | undefined>,
  weights: ReadonlyMap<string, number>,
): Value {
  return scoreDetails(score, {
    description:
      'value output by reciprocal rank fusion algorithm, computed as sum of (weight * (1 / (60 + rank))) ' +
      'across input pipelines from which this document is output, from:',
    details: inputs.map(({ name }, place) => {
      const part = parts[place];
      const details = part && { measure: int32(part.rank), value: part.value };
      return inputDetails(name, 'rank', weights.get(name) ?? 1, details);
    }),
  });
}
