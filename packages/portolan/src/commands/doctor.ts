import { readConfig } from '@portolan/service/config';
import { checks, type Finding } from './doctor-checks.ts';

const marks: Readonly<Record<Finding['kind'], string>> = { good: 'ok  ', warning: 'WARN', bad: 'BAD ' };

/**
 * `portolan doctor [--setting value …]`: checks whether a service with these settings can start, or the running
 * one is well, and says so line by line. Nothing is changed. Answers 1 where something is bad.
 */
export async function doctor(args: readonly string[]): Promise<number> {
  const config = readConfig(args, process.env);
  const findings: Finding[] = [];
  for (const { name, look } of checks) {
    try {
      findings.push(...(await look(config)));
    } catch (error) {
      findings.push({ kind: 'bad', text: `the ${name} cannot be looked at: ${(error as Error).message}` });
    }
  }
  for (const { kind, text } of findings) console.log(`${marks[kind]}  ${text}`);
  const bad = findings.filter(({ kind }) => kind === 'bad').length;
  const warnings = findings.filter(({ kind }) => kind === 'warning').length;
  console.log(bad + warnings === 0 ? 'all is well' : `${bad} bad, ${warnings} to look at`);
  return bad === 0 ? 0 : 1;
}
