import type { OwnerReference } from "../../api-definitions/meta/v1/object-meta.ts";
import type { ObjectKey } from "../client/request-observer.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import { OwnerError } from "./errors.ts";

/** An owner: an object that the server returned. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined; readonly uid: string };
}

/** An object that may be owned. */
export interface Ownable {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly generateName?: string | undefined;
    readonly namespace?: string | undefined;
    readonly ownerReferences?: readonly OwnerReference[] | undefined;
  };
}

/**
 * Returns `child` with the owner as its controller. The server deletes it with the owner, and `owns` maps it to the owner. Throws an `OwnerError` if
 * the owner is in another namespace, or if the object has another controller.
 */
export function ownedBy<C extends Ownable>(owner: Owner, child: C): C {
  const { apiVersion, kind, metadata } = owner;
  const { name = child.metadata.generateName, namespace, ownerReferences = [] } = child.metadata;
  const [what, whose] = [`"${name ?? ""}"`, `${kind} "${metadata.name}"`];
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    const where = namespace === undefined ? "in no namespace" : `in namespace "${namespace}"`;
    throw new OwnerError(`${what} is ${where} and cannot be owned by ${whose} of namespace "${metadata.namespace}"`);
  }
  const other = ownerReferences.find((one) => one.controller && one.uid !== metadata.uid);
  if (other !== undefined)
    throw new OwnerError(`${what} cannot be owned by ${whose}: its controller is ${other.kind} "${other.name}"`);
  const reference = {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const others = ownerReferences.filter(({ uid }) => uid !== metadata.uid);
  return { ...child, metadata: { ...child.metadata, ownerReferences: [...others, reference] } };
}

/** Returns the reference of an object to its controller. */
export function controllerOf(object: Ownable): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller);
}

/** Returns the key of an object's controller if it is of kind `owner`, in any version of its group. */
export function ownerKeyOf(object: Ownable, owner: ResourceToken<object>): ObjectKey | undefined {
  const reference = controllerOf(object);
  if (reference === undefined || reference.kind !== owner.kind) return undefined;
  const [, group = ""] = reference.apiVersion.split("/").reverse();
  if (group !== owner.group) return undefined;
  const { namespace } = object.metadata;
  return owner.namespaced && namespace !== undefined ? { namespace, name: reference.name } : { name: reference.name };
}
