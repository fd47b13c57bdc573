import type { TypeExpr, TypeRef } from "../model/contract.ts";
import type { Model, StructModel } from "../model/model.ts";
import { findType, jsonFields, structOf } from "../model/type-walk.ts";

/** Assignment of structs to pages. */
export interface Placement {
  /** Returns the page that describes the struct; the struct itself if it has its own page. */
  pageOf(ref: TypeRef): TypeRef;
  /** Returns the structs that a page describes, beginning with its own, in reading order. */
  sectionsOf(page: TypeRef): readonly StructModel[];
  /** All structs that have their own page. */
  readonly pages: readonly TypeRef[];
}

/**
 * Assigns a struct that only one page uses to that page, as a section. A struct that several pages use gets its own page, and so does every
 * one of `kinds`.
 *
 *     Deployment -> DeploymentSpec -> DeploymentStrategy      sections of Deployment
 *                                  -> PodTemplateSpec         a page: ReplicaSet and others use it, too
 */
export function placeTypes(model: Model, kinds: readonly TypeRef[]): Placement {
  const { order, users } = reachable(model, kinds);
  const own = new Set<TypeRef>(kinds);
  const pageOf = new Map<TypeRef, TypeRef>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const { ref } of order) {
      const pages = new Set([...(users.get(ref) ?? [])].flatMap((user) => pageOf.get(user) ?? []));
      if (pages.size > 1 && pageOf.get(ref) !== ref) own.add(ref);
      const page = own.has(ref) ? ref : [...pages][0];
      if (page === undefined || page === pageOf.get(ref)) continue;
      pageOf.set(ref, page);
      changed = true;
    }
  }
  return {
    pageOf: (ref) => pageOf.get(ref) ?? ref,
    sectionsOf: (page) =>
      order.filter(({ ref }) => pageOf.get(ref) === page).sort((a, b) => first(b, page) - first(a, page)),
    pages: order.map(({ ref }) => ref).filter((ref) => own.has(ref)),
  };
}

function first({ ref }: StructModel, page: TypeRef): number {
  return ref === page ? 1 : 0;
}

function reachable(model: Model, kinds: readonly TypeRef[]) {
  const order: StructModel[] = [];
  const users = new Map<TypeRef, Set<TypeRef>>();
  const seen = new Set<TypeRef>();
  const visit = (struct: StructModel): void => {
    if (seen.has(struct.ref)) return;
    seen.add(struct.ref);
    order.push(struct);
    for (const field of jsonFields(model, struct)) {
      const used = structIn(model, field.type);
      if (used === undefined) continue;
      if (used.ref !== struct.ref) users.set(used.ref, (users.get(used.ref) ?? new Set()).add(struct.ref));
      visit(used);
    }
  };
  for (const ref of kinds) {
    const struct = structOf(model, ref);
    if (struct !== undefined) visit(struct);
  }
  return { order, users };
}

/** Returns the struct that the values of a field consist of, inside lists, maps and aliases. */
export function structIn(model: Model, type: TypeExpr): StructModel | undefined {
  if (typeof type === "object") return structIn(model, "list" in type ? type.list : type.map);
  const found = structOf(model, type);
  if (found !== undefined || !type.includes(".")) return found;
  const alias = findType(model, type as TypeRef);
  return alias?.form === "alias" ? structIn(model, alias.is) : undefined;
}
