import { type CelType, CompiledExpression } from "../../cel/cel.ts";
import type { GroupVersionKind } from "../../contract/resource-descriptor.ts";
import type { GroupVersionResource } from "../../contract/served-versions.ts";
import type { OperationRule } from "../matching/operation-rule.ts";
import { PolicyCompiler } from "./compile-expressions.ts";
import type { ValidatingPolicySpec } from "./policy-objects.ts";

/** Type errors of one expression of a policy. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Provides kinds and their types. */
export interface KindTypes {
  kindOf(resource: GroupVersionResource): GroupVersionKind | undefined;
  /** Returns undefined for kinds that are not served. */
  typeOf(kind: GroupVersionKind): Promise<CelType | undefined>;
}

/** Maximum number of kinds that are checked for one rule. */
const MAX_KINDS = 10;
/** Maximum number of combinations of all rules of a policy: a few lines of groups, versions and resources can have billions of combinations. */
const MAX_COMBINATIONS = 100_000;

/**
 * Type-checks the validations and messages of a policy for every kind that it names without a wildcard. The result is informational: the policy takes
 * effect in any case.
 */
export async function checkPolicyTypes(spec: ValidatingPolicySpec, types: KindTypes): Promise<ExpressionWarning[]> {
  const params = spec.paramKind && (await types.typeOf(kindNamed(spec.paramKind.apiVersion, spec.paramKind.kind)));
  const compilers: { readonly kind: GroupVersionKind; readonly compiler: PolicyCompiler }[] = [];
  for (const kind of kindsOf(spec.matchConstraints?.resourceRules ?? [], types)) {
    const object = await types.typeOf(kind);
    if (object !== undefined)
      compilers.push({ kind, compiler: new PolicyCompiler(spec, { object, params }, params !== undefined) });
  }
  const check = (source: string, fieldRef: string): ExpressionWarning[] => {
    const problems = compilers.flatMap(({ kind, compiler }) => {
      const { compiled } = compiler.compile(source);
      return compiled instanceof CompiledExpression ? [] : `${kindText(kind)}: ${compiled.issues}\n`;
    });
    return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join("\n") }];
  };
  return (spec.validations ?? []).flatMap(({ expression, messageExpression }, index) => [
    ...check(expression, `spec.validations[${index}].expression`),
    ...(messageExpression ? check(messageExpression, `spec.validations[${index}].messageExpression`) : []),
  ]);
}

function kindsOf(rules: readonly OperationRule[], types: KindTypes): GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  let combinations = 0;
  for (const rule of rules) {
    let found = 0;
    for (const resource of resourcesOf(rule)) {
      if (found === MAX_KINDS || ++combinations > MAX_COMBINATIONS) break;
      const kind = types.kindOf(resource);
      if (kind === undefined) continue;
      kinds.set(kindText(kind), kind);
      found++;
    }
  }
  return [...kinds.values()].sort(
    (a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Yields the resources of a rule, except subresources. Yields none if its groups or versions contain a wildcard. */
function* resourcesOf({ apiGroups, apiVersions, resources }: OperationRule): Generator<GroupVersionResource> {
  const closed = (names: readonly string[] | null | undefined) =>
    names?.some((name) => name.includes("*")) ? [] : [...(names ?? [])].sort();
  const named = [...(resources ?? [])].filter((name) => !/[*/]/.test(name)).sort();
  const versions = closed(apiVersions);
  for (const group of closed(apiGroups))
    for (const version of versions) for (const resource of named) yield { group, version, resource };
}

function kindNamed(apiVersion = "", kind = ""): GroupVersionKind {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return { group, version, kind };
}

const kindText = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}, Kind=${kind}`;
