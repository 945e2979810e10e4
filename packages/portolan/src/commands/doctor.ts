import { readConfig } from '@portolan/service/settings';
import { checks, type Finding } from './doctor-checks.ts';

const marks: Readonly<Record<Finding['kind'], string>> = { good: 'ok  ', warning: 'WARN', bad: 'BAD ' };

/**
 * `portolan doctor [--setting value …]` checks whether a service with these settings can start or, if it is running,
 * whether it is healthy. Prints one line for each check, and changes nothing. Returns 1 if a check fails.
 */
export async function doctor(args: readonly string[]): Promise<number> {
  const config = readConfig(args, process.env);
  const findings: Finding[] = [];
  for (const { name, look } of checks) {
    try {
      findings.push(...(await look(config)));
    } catch (error) {
      findings.push({ kind: 'bad', text: `the ${name} cannot be checked: ${(error as Error).message}` });
    }
  }
  for (const { kind, text } of findings) console.log(`${marks[kind]}  ${text}`);
  const bad = findings.filter(({ kind }) => kind === 'bad').length;
  const warnings = findings.filter(({ kind }) => kind === 'warning').length;
  console.log(bad + warnings === 0 ? 'all checks passed' : `${bad} failed, ${warnings} with warnings`);
  return bad === 0 ? 0 : 1;
}
