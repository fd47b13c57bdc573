import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";

/** Tells types of the project's own kinds from those of Kubernetes. */
export function ownTypes({ groups, resources }: ApiCatalogue): (type: TypeRef) => boolean {
  const kubernetes = new Set(groups.filter((group) => group.kubernetes).map(({ name }) => name));
  const own = new Set(resources.filter(({ group }) => !kubernetes.has(group)).map(({ type }) => type));
  return (type) => own.has(type);
}
