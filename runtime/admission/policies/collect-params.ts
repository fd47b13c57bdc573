import type { ApiObject } from "../../contract/api-object.ts";
import { apiVersionOf } from "../../contract/group-version.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import type { ServedVersion, ServedVersions } from "../../contract/served-versions.ts";
import { labelSelectorMatches } from "../../values/format-label-selector.ts";
import type { ParamKind, ParamRef } from "./policy-objects.ts";

/** The configuration of a policy or binding is invalid. The failure policy decides about the request. */
export class PolicyConfigurationError extends Error {
  readonly code = "policy-configuration";
}

export interface ParamParts {
  readonly reader: ObjectReader;
  readonly versions: ServedVersions;
}

/** Returns the served version of a policy's paramKind. Throws a PolicyConfigurationError if the kind is not served. */
export function findParamKind({ apiVersion = "", kind = "" }: ParamKind, versions: ServedVersions): ServedVersion {
  const served = versions.find(apiVersion, kind);
  if (served !== undefined) return served;
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  throw new PolicyConfigurationError(
    `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`,
  );
}

/**
 * Returns the parameters of a binding; its policy is evaluated once for each. Returns a single null if the policy has no paramKind or the binding no
 * paramRef, and an empty list if none is found and that is allowed. `namespace` is that of the request.
 */
export async function collectParams(
  paramKind: ServedVersion | undefined,
  paramRef: ParamRef | undefined,
  namespace: string,
  parts: ParamParts,
): Promise<readonly (ApiObject | null)[]> {
  if (paramKind === undefined || paramRef === undefined) return [null];
  const found = await findParams(paramKind, paramRef, paramsNamespace(paramKind, paramRef, namespace), parts.reader);
  if (found.length === 0 && paramRef.parameterNotFoundAction === "Deny")
    throw new PolicyConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
  const { kind, resource } = paramKind;
  const apiVersion = apiVersionOf(kind);
  return Promise.all(
    found.map(async (param) => ({ ...(await parts.versions.convert(param, resource)), apiVersion, kind: kind.kind })),
  );
}

function paramsNamespace({ namespaced }: ServedVersion, paramRef: ParamRef, namespace: string): string {
  const named = paramRef.namespace ?? "";
  if (namespaced && named === "" && namespace === "")
    throw new PolicyConfigurationError(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  if (!namespaced && named !== "")
    throw new PolicyConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  return namespaced ? named || namespace : "";
}

async function findParams(
  { stored }: ServedVersion,
  { name = "", selector }: ParamRef,
  namespace: string,
  reader: ObjectReader,
): Promise<readonly ApiObject[]> {
  if (name !== "") {
    const param = await reader.get(stored, namespace, name);
    return param === undefined ? [] : [param];
  }
  if (selector === undefined) throw new PolicyConfigurationError("one of name or selector must be provided");
  const all = await reader.list(stored, namespace);
  return all.filter(({ metadata }) => labelSelectorMatches(selector, metadata.labels ?? {}));
}
