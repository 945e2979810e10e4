import { isStorableText } from '@portolan/foundation/storable-text';
import { generalFaults } from '../faults.ts';
import type { Route } from '../routes/route.ts';

/** Reads path parameters. Throws the fault that the parameter declares for a malformed value. */
export function readPath(
  route: Route,
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const { name, rule, pattern } of route.parameters) {
    const value = raw[name] ?? '';
    if (value === '' || pattern?.test(value) === false || !isStorableText(value)) {
      throw rule?.malformed?.(value) ?? generalFaults.INVALID_PATH_PARAMETER(name);
    }
    params[name] = value;
  }
  return params;
}
