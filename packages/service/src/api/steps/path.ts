import { isSound } from '@portolan/foundation/sound-text';
import { generalFaults } from '../faults.ts';
import type { Route } from '../routes/route.ts';

/** Path parameters, each in the form that its name asks for. Throws the name's own fault for another. */
export function readPath(
  route: Route,
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const { name, rule, pattern } of route.parameters) {
    const value = raw[name] ?? '';
    if (value === '' || pattern?.test(value) === false || !isSound(value)) {
      throw rule?.malformed?.(value) ?? generalFaults.INVALID_PATH_PARAMETER(name);
    }
    params[name] = value;
  }
  return params;
}
