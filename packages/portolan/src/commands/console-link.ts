import { operatorOf } from './operator.ts';

/** `portolan console` prints a new login link for a running service. */
export async function printConsoleLink(dataDirectory: string): Promise<number> {
  const operator = await operatorOf(dataDirectory);
  const { url } = await operator.call<{ url: string }>('POST', '/console/links');
  console.log(url);
  return 0;
}
