import { type ControlCalls, controlCalls, type PartOfHost } from '../control/calls.ts';
import type { HostedDeployment } from './deployment.ts';
import type { Deployments } from './deployments.ts';
import type { RecordReader } from './record-reader.ts';

export interface PartsOfHost {
  readonly host: PartOfHost<'host'>;
  readonly deployments: Deployments;
  readonly reader: RecordReader;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  now(): number;
}

type Part = (typeof controlCalls)[keyof typeof controlCalls]['part'];
/**
 * Runs the call with this name. `args` contains the declared arguments, and the arguments that the form of the call
 * adds.
 */
type Run = (name: string, args: readonly unknown[]) => unknown;
type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Maps each call of the table to the method that implements it. */
export function callsOf(parts: PartsOfHost): ControlCalls {
  const { host, deployments, reader, now } = parts;
  const recordsOf = (id: unknown) => {
    const { folder, key } = deployments.journal(String(id));
    return { folder, key, now: now() };
  };
  const runs: Readonly<Record<Part, Run>> = {
    host: (name, args) => method(host, name, args),
    deployments: (name, args) => method(deployments, name, args),
    deployment: (name, [id, ...args]) =>
      deployments.change(String(id), (deployment) => changed(deployment, name, args)),
    records: (name, [id, ...args]) =>
      reader.bytes(name, recordsOf(id), args.slice(0, -1), args.at(-1) as AbortSignal),
  };
  const functions = Object.entries(controlCalls).map(([name, { part }]) => {
    const run = runs[part];
    return [name, (...args: readonly unknown[]) => run(name, args)];
  });
  return Object.fromEntries(functions);
}

function changed(deployment: HostedDeployment, name: string, args: readonly unknown[]): Promise<void> {
  return method(deployment, name, args) as Promise<void>;
}

/** Runs the method of a call. The types of `PartsOfHost` guarantee that every call has a method. */
function method(part: object, name: string, args: readonly unknown[]): unknown {
  return (part as Functions)[name]?.call(part, ...args);
}
