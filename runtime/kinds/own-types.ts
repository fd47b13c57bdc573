import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";

/** Returns a predicate: whether a group is the project's own and not a group of Kubernetes. */
export function ownGroups({ groups }: ApiCatalogue): (group: string) => boolean {
  const own = new Set(groups.filter((group) => !group.kubernetes).map(({ name }) => name));
  return (group) => own.has(group);
}

/** Returns a predicate: whether a type belongs to the project's own kinds and not to those of Kubernetes. */
export function ownTypes(catalogue: ApiCatalogue): (type: TypeRef) => boolean {
  const isOwn = ownGroups(catalogue);
  const own = new Set(catalogue.resources.filter(({ group }) => isOwn(group)).map(({ type }) => type));
  return (type) => own.has(type);
}
