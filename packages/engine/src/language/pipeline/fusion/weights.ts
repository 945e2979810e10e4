import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf } from '../../../bson/raw.ts';
import { type Element, isNumber } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Input } from './inputs.ts';

/** Reads the weight of each input, which is 1 by default. */
export function readWeights(
  weights: Element | undefined,
  inputs: readonly Input[],
  stage: string,
): ReadonlyMap<string, number> {
  const found = new Map(inputs.map(({ name }) => [name, 1]));
  if (weights === undefined) return found;
  const given = [...documentOf(weights)];
  if (given.length > inputs.length) {
    throw new ServerError(
      9460301,
      `${stage} input has more weights (${given.length}) than pipelines (${inputs.length}).`,
    );
  }
  for (const element of given) {
    if (!found.has(element.name)) {
      throw new ServerError(
        9967500,
        `${stage} stage contained a weight for a pipeline named '${element.name}', which is not in its input.`,
      );
    }
    found.set(element.name, weightOf(element, stage));
  }
  return found;
}

function weightOf(element: Element, stage: string): number {
  if (!isNumber(element))
    throw new ServerError(13118, `${stage} pipeline weight '${element.name}' must be a number`);
  const weight = toNumber(element);
  if (weight >= 0) return weight;
  throw new ServerError(
    9460300,
    `${stage} pipeline weight '${element.name}' must be non-negative, is ${weight}`,
  );
}
