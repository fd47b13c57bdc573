import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeDefinition, TypeExpr, TypeRef, TypeSource } from "../contract/type-table.ts";

/** Returns a predicate: whether a type is one of the changed types or contains one. Types of Kubernetes contain only types of Kubernetes. */
export function containsChanged(
  source: TypeSource,
  changed: ReadonlySet<TypeRef>,
  { groups, resources }: ApiCatalogue,
): (type: TypeRef) => boolean {
  const kubernetes = new Set(groups.filter((group) => group.kubernetes).map(({ name }) => name));
  const ofKubernetes = new Set(resources.flatMap(({ group, type }) => (kubernetes.has(group) ? [moduleOf(type)] : [])));
  const changesKubernetes = [...changed].some((type) => ofKubernetes.has(moduleOf(type)));
  /** Cache of types that are known to contain no changed type. */
  const without = new Set<TypeRef>();
  return (type) => {
    if (changed.size === 0 || (ofKubernetes.has(moduleOf(type)) && !changesKubernetes)) return false;
    const seen = new Set<TypeRef>();
    const visit = (ref: TypeRef): boolean => {
      if (changed.has(ref)) return true;
      if (seen.has(ref) || without.has(ref)) return false;
      seen.add(ref);
      const definition = definitionOf(source, ref);
      return definition !== undefined && expressionsOf(definition).some((each) => refsIn(each).some(visit));
    };
    if (visit(type)) return true;
    for (const ref of seen) without.add(ref);
    return false;
  };
}

function definitionOf(source: TypeSource, ref: TypeRef): TypeDefinition | undefined {
  try {
    return source.module(moduleOf(ref)).types[ref.slice(moduleOf(ref).length + 1)];
  } catch (error) {
    // The whole module was removed.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function expressionsOf(definition: TypeDefinition): readonly TypeExpr[] {
  return "fields" in definition ? definition.fields.map(({ type }) => type) : [definition.is];
}

/** The named types that an expression refers to. Names of scalars contain no dot. */
function refsIn(expression: TypeExpr): TypeRef[] {
  if (typeof expression === "object") return refsIn("list" in expression ? expression.list : expression.map);
  return expression.includes(".") ? [expression as TypeRef] : [];
}

/** Returns the module of a type: `fleet/v1` for `fleet/v1.TruckSpec`. */
function moduleOf(ref: TypeRef): string {
  return ref.slice(0, ref.lastIndexOf("."));
}
