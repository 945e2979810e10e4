import type { ClusterContext } from '../command.ts';
import type { Comparison } from '../language/collation/index.ts';
import { compileExpression } from '../language/expression/compile.ts';
import type { Environment } from '../language/expression/environment.ts';
import { checkVariableBound } from '../language/expression/variable-name.ts';
import { RawDocument } from '../language/raw.ts';
import { date, type Value } from '../language/value.ts';
import { comparingBy } from './collation.ts';
import { workspaceOf } from './workspace.ts';

/** Variables that expressions of one command see: the time, and what the command's `let` gives them. */
export function environmentOf(
  variables: RawDocument | undefined,
  cluster: ClusterContext,
  comparison?: Comparison,
): Environment {
  const system = new Map<string, Value | undefined>([['NOW', date(BigInt(cluster.now()))]]);
  const own = { constants: system, scripts: cluster.scripts(), workspace: workspaceOf(cluster) };
  return withVariables(comparingBy(own, comparison), variables);
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
