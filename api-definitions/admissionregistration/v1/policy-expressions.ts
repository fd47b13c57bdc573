import {
  BOOL,
  type CelType,
  CompiledExpression,
  createEnvironment,
  DYN,
  type EnvironmentVersion,
  formatIssues,
  INT,
  listOf,
  mapOf,
  newExpressionsVersion,
  STRING,
} from "../../../runtime/cel/cel.ts";
import { AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from "../../../runtime/cel/libraries/authorizer.ts";
import { patchTypesLibrary } from "../../../runtime/cel/libraries/patch-types.ts";
import { type StructField, type StructType, TIMESTAMP } from "../../../runtime/cel/types/cel-type.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField } from "../../../runtime/lib/field-errors.ts";
import { release } from "../../release.ts";

/** What expressions of one place can refer to. */
export interface ExpressionScope {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether expressions can make what changes an object: `Object` and `JSONPatch`. */
  readonly patchTypes?: boolean;
}

/**
 * Checks the expressions of one policy or webhook. Expressions that are stored already are held to what any server
 * understands; new ones to what the servers of a half-done upgrade do, too.
 */
export class ExpressionCheck {
  readonly #stored: ReadonlySet<string>;
  readonly #variables = new Map<string, CelType>();

  constructor(stored: ReadonlySet<string> = new Set()) {
    this.#stored = stored;
  }

  /** `expected` is the type, or the types, that the expression may come to; any if not given. */
  check(
    expression: string,
    expected: CelType | readonly CelType[] | undefined,
    scope: ExpressionScope,
    field: string,
    errors: FieldError[],
  ): CelType | undefined {
    const version = this.#stored.has(expression) ? "latest" : newExpressionsVersion(release.release as `1.${number}`);
    const environment = createEnvironment({
      variables: this.#declare(scope),
      version: version as EnvironmentVersion,
      ...(scope.patchTypes && { libraries: [patchTypesLibrary] }),
    });
    const result = environment.compile(expression, expected === undefined ? {} : { expectedType: expected });
    if (result instanceof CompiledExpression) return result.resultType;
    const isResult = result.every((issue) => issue.code === "result");
    const detail = isResult ? formatIssues(result) : `compilation failed: ${formatIssues(result)}`;
    errors.push(invalidField(field, expression, detail));
    return undefined;
  }

  /** Lets later expressions refer to `variables.<name>`. */
  define(name: string, type: CelType): void {
    this.#variables.set(name, type);
  }

  #declare({ params, authorizer }: ExpressionScope): Record<string, CelType> {
    return {
      object: DYN,
      oldObject: DYN,
      namespaceObject: NAMESPACE,
      request: REQUEST,
      ...(params && { params: DYN }),
      ...(authorizer && { authorizer: AUTHORIZER_TYPE, "authorizer.requestResource": RESOURCE_CHECK_TYPE }),
      ...(this.#variables.size > 0 && {
        variables: struct("kubernetes.variables", Object.fromEntries(this.#variables)),
      }),
    };
  }
}

function struct(name: string, members: Readonly<Record<string, CelType>>): StructType {
  const fields = new Map<string, StructField>(
    Object.entries(members).map(([jsonName, type]) => [jsonName, { jsonName, type }]),
  );
  const find = (fieldName: string) => fields.get(fieldName);
  return { kind: "struct", name, identity: name, field: find, property: find, fields: () => fields.values() };
}

const KIND = struct("kubernetes.GroupVersionKind", { group: STRING, version: STRING, kind: STRING });
const RESOURCE = struct("kubernetes.GroupVersionResource", { group: STRING, version: STRING, resource: STRING });
const REQUEST = struct("kubernetes.AdmissionRequest", {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: struct("kubernetes.UserInfo", {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: DYN,
});
const NAMESPACE = struct("kubernetes.Namespace", {
  metadata: struct("kubernetes.NamespaceMetadata", {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: struct("kubernetes.NamespaceSpec", { finalizers: listOf(STRING) }),
  status: struct("kubernetes.NamespaceStatus", {
    conditions: listOf(
      struct("kubernetes.NamespaceCondition", {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
});
