import { pino } from 'pino';

/**
 * Where the log of a process goes: its standard error. What cannot be written, to a full disk for instance, is lost, and
 * the process goes on.
 */
export function logOutput() {
  const output = pino.destination(2);
  output.on('error', () => {});
  return output;
}
