import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** Where a stage stands in its pipeline. */
export interface StagePosition {
  readonly before: readonly Element[];
  /** How many stages follow it. */
  readonly following: number;
  /** How many of the first stages are those of the view that is read. */
  readonly view: number;
}

/** Throws where the stage cannot stand. */
export type CheckPosition = (name: string, position: StagePosition) => void;

export const anywhere: CheckPosition = () => {};

export const onlyFirst: CheckPosition = (name, { before }) => {
  if (before.length > 0) throw behindOthers(name);
};

export function behindOthers(name: string): ServerError {
  return new ServerError(40602, `${name} is only valid as the first stage in a pipeline`);
}

export const onlyLast: CheckPosition = (name, { following }) => {
  if (following === 0) return;
  throw new ServerError(40601, `${name} can only be the final stage in the pipeline`);
};

/** The first of those that are asked for, which come behind those of a view. */
export const onlyFirstAsked: CheckPosition = (name, { before, view }) => {
  if (before.length > 0 && before.length !== view) throw notFirst(name);
};

export function notFirst(name: string): ServerError {
  return new ServerError(10170100, `${name} must be the first stage in the pipeline`);
}
