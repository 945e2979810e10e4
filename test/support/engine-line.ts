import type { ChildProcess } from 'node:child_process';

/**
 * Returns the connection string in the line that `portolan engine` prints when it is ready. Rejects if the process ends
 * before that. The line may arrive in several pieces.
 */
export function readyUri({ stdout }: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const [, uri] = /^ready (\S+)\n/m.exec(printed) ?? [];
      if (uri !== undefined) resolve(uri);
    });
    stdout?.once('close', () => reject(new Error(`the engine has ended: ${printed}`)));
  });
}
