/** The errors of the classes of this folder, by the names that tests already catch. */

/** Not now: the state is another than those in which it can be done. */
export class StateError extends Error {
  readonly wantedStates: readonly string[];
  readonly gotState: string;

  constructor(wantedStates: readonly string[], gotState: string) {
    super(`this takes one of the states ${wantedStates.join(', ')}, and the state is ${gotState}`);
    this.wantedStates = wantedStates;
    this.gotState = gotState;
  }
}

export function requireState<State extends string>(state: State, wanted: readonly State[]): void {
  if (!wanted.includes(state)) throw new StateError(wanted, state);
}

/** There is no `instanceInfo` where one is needed. */
export class InstanceInfoError extends Error {
  readonly where: string;

  constructor(where: string) {
    super(`there is no "instanceInfo" in ${where}`);
    this.where = where;
  }
}

/** A replica set has one member at least. */
export class ReplsetCountLowError extends Error {
  readonly count: number;

  constructor(count: number) {
    super(`a replica set has one member at least, not ${count}`);
    this.count = count;
  }
}

/** The database did not start. */
export class StdoutInstanceError extends Error {}

/** It did not start within `launchTimeout`. */
export class GenericMMSError extends Error {}
