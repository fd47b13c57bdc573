import type { AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupVersionKind } from "../../contract/resource-descriptor.ts";
import type { ServedVersions } from "../../contract/served-versions.ts";
import type { MatchedVersion } from "../matching/match-constraints.ts";
import { namespaceOf } from "../matching/request-namespace.ts";

/** Returns the value of `request`: an AdmissionRequest without its objects. Empty fields are omitted. */
export function requestValue(request: AdmissionRequest, { resource, kind }: MatchedVersion): object {
  const { requested, subresource, user, name } = request;
  const namespace = namespaceOf(request);
  return {
    uid: "",
    kind: kindValue(kind),
    resource: { ...resource },
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: kindValue(requested.kind),
    requestResource: { ...requested.resource },
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...(namespace !== "" && { namespace }),
    operation: request.operation,
    userInfo: {
      ...(user.name !== "" && { username: user.name }),
      ...(user.uid && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: user.groups }),
      ...(user.extra && Object.keys(user.extra).length > 0 && { extra: user.extra }),
    },
    object: null,
    oldObject: null,
    dryRun: request.dryRun,
    options: request.operation === "CONNECT" ? null : request.options,
  };
}

const kindValue = ({ group, version, kind }: GroupVersionKind) => ({ group, version, kind });

/** Returns an object as expressions and webhooks see it: in the matched version, with apiVersion and kind. Null if there is none. */
export async function versionedObject(
  object: ApiObject | undefined,
  { kind, operation }: AdmissionRequest,
  version: MatchedVersion,
  versions: ServedVersions,
): Promise<ApiObject | null> {
  if (object === undefined) return null;
  const isStored = version.kind.group === kind.group && version.kind.version === kind.version;
  const converted = isStored ? object : await versions.convert(object, version.resource);
  const { group, version: name, kind: kindName } = version.kind;
  const seen = { ...converted, apiVersion: group === "" ? name : `${group}/${name}`, kind: kindName };
  // Options of a CONNECT request have no metadata.
  return operation === "CONNECT" ? (({ metadata: _, ...options }) => options as ApiObject)(seen) : seen;
}

/** Returns the value of `namespaceObject`: the namespace of the request without ownerReferences and managedFields. */
export function namespaceValue(namespace: ApiObject | undefined): object | null {
  if (namespace === undefined) return null;
  const { ownerReferences: _owners, managedFields: _managers, ...metadata } = namespace.metadata;
  return {
    metadata,
    spec: namespace.spec ?? {},
    status: namespace.status ?? {},
  };
}
