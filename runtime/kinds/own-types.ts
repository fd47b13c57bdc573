import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";

/** Tells the project's own groups from those of Kubernetes. */
export function ownGroups({ groups }: ApiCatalogue): (group: string) => boolean {
  const own = new Set(groups.filter((group) => !group.kubernetes).map(({ name }) => name));
  return (group) => own.has(group);
}

/** Tells types of the project's own kinds from those of Kubernetes. */
export function ownTypes(catalogue: ApiCatalogue): (type: TypeRef) => boolean {
  const isOwn = ownGroups(catalogue);
  const own = new Set(catalogue.resources.filter(({ group }) => isOwn(group)).map(({ type }) => type));
  return (type) => own.has(type);
}
