import type { Comparison } from '../../bson/collation/index.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { date, string, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/environment.ts';
import { compileExpression } from '../../language/expression/compile.ts';
import { arrayOf } from '../../language/expression/field-path.ts';
import { checkVariableBound, systemVariables } from '../../language/expression/variable-name.ts';
import { Folding } from '../../language/folding.ts';
import { StageMemory } from '../../language/workspace.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { comparingBy } from './collation.ts';
import { workspaceOf } from './workspace.ts';

/**
 * Returns the environment of a command's expressions. It contains the system variables and the variables of `let`.
 */
export function environmentOf(
  variables: RawDocument | undefined,
  cluster: ClusterContext,
  comparison?: Comparison,
): Environment {
  const own = { ...timelessEnvironment(cluster, comparison), system: systemVariablesOf(cluster) };
  return withVariables(own, variables);
}

/**
 * Returns the environment of expressions that are stored in validators and views. They may not run scripts, and
 * constants in them are evaluated only when they are used.
 */
export function storedEnvironment(cluster: ClusterContext, comparison?: Comparison): Environment {
  const { scripts: _, folding: __, ...environment } = environmentOf(undefined, cluster, comparison);
  return environment;
}

/** Returns the environment of commands that do not provide system variables. */
export function timelessEnvironment(cluster: ClusterContext, comparison?: Comparison): Environment {
  const statement = cluster.store.running;
  const own = {
    statement,
    folding: new Folding(statement),
    constants: none,
    random: cluster.random.fraction,
    scripts: cluster.scripts(),
    workspace: workspaceOf(cluster),
    strictApi: () => cluster.operations.current?.request?.body.bool('apiStrict') === true,
  };
  return comparingBy(own, comparison);
}

const none: ReadonlyMap<string, Value> = new Map();

/** Returns the system variables. Each is evaluated on first use and is then constant. */
export function systemVariablesOf(cluster: ClusterContext): ReadonlyMap<string, () => Value> {
  return new Map([
    ['NOW', once(() => date(BigInt(cluster.clock.now())))],
    ['CLUSTER_TIME', once(() => timestampAt(cluster.store.oplog.last))],
    ['USER_ROLES', once(() => rolesOf(cluster))],
  ]);
}

function once(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

function rolesOf({ operations }: ClusterContext): Value {
  const roles = operations.current?.caller.user?.roles ?? [];
  return arrayOf(
    roles.map(({ role, database }) =>
      writeDocument((writer) => {
        writer.field('_id', string(`${database}.${role}`));
        writer.field('role', string(role));
        writer.field('db', string(database));
      }).toValue(),
    ),
  );
}

/** Names that `let` must not define. */
const reserved: ReadonlySet<string> = new Set([...systemVariables, 'JS_SCOPE', 'IS_MR']);

/**
 * Adds variables. The expression of a variable may refer to the variables before it, but not to system
 * variables.
 */
function withVariables(environment: Environment, variables: RawDocument | undefined): Environment {
  if (variables === undefined) return environment;
  const constants = new Map(environment.constants);
  const { system: _, ...others } = environment;
  // The loop adds each variable to `constants` after its evaluation. Thus an expression finds only earlier variables.
  const earlier = { ...others, rootless: true, constants };
  for (const element of variables) {
    if (reserved.has(element.name)) {
      throw new ServerError(4738901, `Attempt to overwrite the system variable '${element.name}'`);
    }
    checkVariableBound(element.name);
    const expression = compileExpression(element, earlier);
    const value = expression.evaluate({ root: RawDocument.empty });
    if (value !== undefined) new StageMemory(environment.workspace).bytes = value.end - value.start;
    constants.set(element.name, value);
  }
  return { ...environment, constants };
}

/** Adds variables with literal values. */
export function withConstants(environment: Environment, values: RawDocument | undefined): Environment {
  if (values === undefined) return environment;
  const constants = new Map<string, Value | undefined>(environment.constants);
  for (const element of values) {
    checkVariableBound(element.name);
    constants.set(element.name, element);
  }
  return { ...environment, constants };
}
