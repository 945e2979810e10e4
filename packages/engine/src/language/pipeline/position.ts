import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** The position of a stage in its pipeline. */
export interface StagePosition {
  readonly before: readonly Element[];
  /** The number of following stages. */
  readonly following: number;
  /** The number of leading stages that come from the definition of a view. */
  readonly view: number;
}

/** Throws if the stage is not allowed at the position. */
export type CheckPosition = (name: string, position: StagePosition) => void;

export const anywhere: CheckPosition = () => {};

export const onlyFirst: CheckPosition = (name, { before }) => {
  if (before.length > 0) throw notFirstStage(name);
};

export function notFirstStage(name: string): ServerError {
  return new ServerError(40602, `${name} is only valid as the first stage in a pipeline`);
}

export const onlyLast: CheckPosition = (name, { following }) => {
  if (following === 0) return;
  throw new ServerError(40601, `${name} can only be the final stage in the pipeline`);
};

/**
 * Requires the stage to be the first that the client sent. Stages from the definition of a view may come
 * before it.
 */
export const onlyFirstAsked: CheckPosition = (name, { before, view }) => {
  if (before.length > 0 && before.length !== view) throw notFirst(name);
};

export function notFirst(name: string): ServerError {
  return new ServerError(10170100, `${name} must be the first stage in the pipeline`);
}
