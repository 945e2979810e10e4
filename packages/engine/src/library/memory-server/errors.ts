/**
 * This file contains the errors of the classes in this folder. They have the same names as in
 * `mongodb-memory-server`, so that existing tests can catch them.
 */

/** The operation is not possible in the current state of the server or replica set. */
export class StateError extends Error {
  readonly wantedStates: readonly string[];
  readonly gotState: string;

  constructor(wantedStates: readonly string[], gotState: string) {
    super(`the state must be one of ${wantedStates.join(', ')}, but is ${gotState}`);
    this.wantedStates = wantedStates;
    this.gotState = gotState;
  }
}

export function requireState<State extends string>(state: State, wanted: readonly State[]): void {
  if (!wanted.includes(state)) throw new StateError(wanted, state);
}

/** `instanceInfo` is missing. */
export class InstanceInfoError extends Error {
  readonly where: string;

  constructor(where: string) {
    super(`there is no "instanceInfo" in ${where}`);
    this.where = where;
  }
}

/** A replica set needs at least one member. */
export class ReplsetCountLowError extends Error {
  readonly count: number;

  constructor(count: number) {
    super(`a replica set needs at least one member, not ${count}`);
    this.count = count;
  }
}

/** The database did not start. */
export class StdoutInstanceError extends Error {}

/** The start took longer than `launchTimeout`. */
export class GenericMMSError extends Error {}
