import type { Operation } from './operations.ts';

/** A statement that runs, for messages about its thread. */
interface DescribedStatement {
  readonly clusterId: string;
  /** The name of the command, its database and its connection. */
  readonly text: string;
}

/** Describes a running statement. Returns an empty text if there is none. */
export function descriptionOf(operation: Operation | undefined): string {
  if (operation === undefined) return '';
  const { wire, request, command, purpose } = operation;
  if (purpose !== undefined) return `${wire.clusterId} ${purpose}`;
  const name = request?.name ?? command?.name ?? 'a command that is being parsed';
  const place = request === undefined ? '' : ` on the database ${request.database}`;
  return `${wire.clusterId} ${name}${place}, connection ${wire.caller.connectionId}`;
}

/** Splits a description into the id of the cluster and the text about the statement. */
export function describedStatement(description: string): DescribedStatement | undefined {
  const end = description.indexOf(' ');
  return end < 0 ? undefined : { clusterId: description.slice(0, end), text: description.slice(end + 1) };
}
