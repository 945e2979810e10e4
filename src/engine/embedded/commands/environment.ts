import type { ClusterContext } from '../command.ts';
import { compileExpression } from '../language/expression/compile.ts';
import type { Environment } from '../language/expression/environment.ts';
import { checkVariableBound } from '../language/expression/variable-name.ts';
import { RawDocument } from '../language/raw.ts';
import { date, type Value } from '../language/value.ts';

/** Variables that expressions of one command see: the time, and what the command's `let` gives them. */
export function environmentOf(variables: RawDocument | undefined, { now }: ClusterContext): Environment {
  const system = new Map<string, Value | undefined>([['NOW', date(BigInt(now()))]]);
  return withVariables({ constants: system }, variables);
}

/** The same with further variables; each of them sees those before it. */
export function withVariables(environment: Environment, variables: RawDocument | undefined): Environment {
  if (variables === undefined) return environment;
  const constants = new Map(environment.constants);
  for (const element of variables) {
    checkVariableBound(element.name);
    const expression = compileExpression(element, { ...environment, constants: new Map(constants) });
    constants.set(element.name, expression.evaluate({ root: RawDocument.empty }));
  }
  return { ...environment, constants };
}
