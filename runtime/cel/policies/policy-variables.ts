import { AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from "../libraries/authorizer.ts";
import { type CelIssue, formatIssues } from "../syntax/issue.ts";
import {
  BOOL,
  type CelType,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  type StructField,
  type StructType,
  TIMESTAMP,
} from "../types/cel-type.ts";

/** The variables that expressions in one part of a policy or webhook can use. */
export interface PolicyScope {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether expressions can construct mutations: `Object` and `JSONPatch`. */
  readonly patchTypes?: boolean;
}

/** The types of `object`, `oldObject` and `params`, if known. Otherwise they are dyn. */
export interface ObjectTypes {
  readonly object?: CelType | undefined;
  readonly params?: CelType | undefined;
}

/** Returns the variables of a scope, including `variables` if expressions can define some. */
export function policyVariables(
  { params, authorizer }: PolicyScope,
  composed: ReadonlyMap<string, CelType> | undefined,
  types: ObjectTypes = {},
): Record<string, CelType> {
  return {
    object: types.object ?? DYN,
    oldObject: types.object ?? DYN,
    namespaceObject: NAMESPACE,
    request: REQUEST,
    ...(params && { params: types.params ?? DYN }),
    ...(authorizer && { authorizer: AUTHORIZER_TYPE, "authorizer.requestResource": RESOURCE_CHECK_TYPE }),
    ...(composed && { variables: liveStruct("kubernetes.variables", composed) }),
  };
}

/** The declared type of `variables.x`. Structs, opaque types and types of types become dyn, which is checked at run time only. */
export function composedType(type: CelType): CelType {
  switch (type.kind) {
    case "struct":
    case "opaque":
    case "type":
      return DYN;
    case "list":
      return listOf(composedType(type.element));
    case "map":
      return mapOf(composedType(type.key), composedType(type.value));
    default:
      return type;
  }
}

/** The errors of a policy's expression as one string. A result of the wrong type has no prefix. */
export function policyIssuesText(issues: readonly CelIssue[]): string {
  const isResult = issues.every((issue) => issue.code === "result");
  return isResult ? formatIssues(issues) : `compilation failed: ${formatIssues(issues)}`;
}

function struct(name: string, members: Readonly<Record<string, CelType>>): StructType {
  const fields = new Map<string, StructField>(
    Object.entries(members).map(([jsonName, type]) => [jsonName, { jsonName, type }]),
  );
  const find = (fieldName: string) => fields.get(fieldName);
  return { kind: "struct", name, identity: name, field: find, property: find, fields: () => fields.values() };
}

/** Creates a struct whose members are looked up on demand instead of being copied for each expression. */
function liveStruct(name: string, members: ReadonlyMap<string, CelType>): StructType {
  const find = (jsonName: string): StructField | undefined => {
    const type = members.get(jsonName);
    return type === undefined ? undefined : { jsonName, type };
  };
  const fields = () => members.entries().map(([jsonName, type]): StructField => ({ jsonName, type }));
  return { kind: "struct", name, identity: name, field: find, property: find, fields };
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
