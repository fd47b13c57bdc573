import { isDeepStrictEqual } from "node:util";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { OwnerReference } from "../../contract/api-object.ts";
import type { AccessDecision, Authorizer, ResourceAccess } from "../../contract/authorization.ts";
import type { ServedVersions } from "../../contract/served-versions.ts";
import { goQuote } from "../../go/quote.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

/**
 * Requires permission to delete an object for changing its owners, since the garbage collector deletes objects whose owners are gone. Requires
 * permission to update the finalizers of an owner for setting blockOwnerDeletion on its reference.
 */
export function createOwnerReferencesPermission(parts: {
  readonly authorizer: Authorizer;
  readonly versions: Pick<ServedVersions, "find">;
}): AdmissionPlugin {
  const ask = (request: AdmissionRequest, access: Omit<ResourceAccess, "user">) =>
    parts.authorizer.authorize({ user: request.user, ...access });

  async function checkOwner(request: AdmissionRequest, { apiVersion, kind, name }: OwnerReference): Promise<void> {
    const owner = parts.versions.find(apiVersion, kind);
    if (owner === undefined)
      throw refuseAdmission(
        request,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`,
      );
    const namespace = owner.namespaced ? request.namespace : "";
    const decision = await ask(request, {
      verb: "update",
      ...owner.resource,
      subresource: "finalizers",
      namespace,
      name,
    });
    if (decision.decision !== "allow")
      throw refuseAdmission(
        request,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${describe(decision)}`,
      );
  }

  return {
    name: "OwnerReferencesPermissionEnforcement",
    operations: CREATE_AND_UPDATE,
    async validate(request) {
      // Updates of the pod status cannot change owners.
      if (isFor(request, "", "pods", "status")) return;
      const owners = request.object?.metadata?.ownerReferences ?? [];
      const before = request.oldObject?.metadata?.ownerReferences ?? [];
      if (isDeepStrictEqual(owners, before)) return;
      if (request.operation !== "CREATE") {
        const { namespace, name, subresource } = request;
        const target = { ...request.requested.resource, subresource, namespace, name };
        const decision = await ask(request, { verb: "delete", ...target });
        if (decision.decision !== "allow")
          throw refuseAdmission(
            request,
            `cannot set an ownerRef on a resource you can't delete: ${describe(decision)}`,
          );
      }
      const blocking = newlyBlocking(owners, before);
      if (blocking.length === 0 || (await ask(request, ANY_FINALIZER)).decision === "allow") return;
      for (const owner of blocking) await checkOwner(request, owner);
    },
  };
}

const ANY_FINALIZER = {
  verb: "update",
  group: "*",
  version: "*",
  resource: "*",
  subresource: "finalizers",
  namespace: "",
  name: "*",
};

/** Returns references that did not block the deletion of their owner before. */
function newlyBlocking(owners: readonly OwnerReference[], before: readonly OwnerReference[]): OwnerReference[] {
  const blocked = new Set(before.filter((owner) => owner.blockOwnerDeletion).map(({ uid }) => uid));
  return owners.filter((owner) => owner.blockOwnerDeletion && !blocked.has(owner.uid));
}

function describe({ reason, error }: AccessDecision): string {
  return `${reason}, ${error ?? "<nil>"}`;
}
