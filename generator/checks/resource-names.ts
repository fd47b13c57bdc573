import { placeOf } from "../model/build-groups.ts";
import type { KindModel, Model } from "../model/model.ts";
import type { CheckContext } from "./check-context.ts";

/** A name by which clients ask for a resource, and the part of the declaration that gives it. */
interface ResourceName {
  readonly name: string;
  readonly part: string;
}

/**
 * Plurals, singulars and short names share one set of names: `kubectl get <name>` takes any of them. Within a group a name means one
 * kind. A name that a kind of another group has already is allowed, with a warning that shows its unambiguous form.
 */
export function checkResourceNames({ model, diagnostics }: CheckContext): void {
  const own = new Set(model.ownModules.flatMap((module) => module.kinds));
  const owners = new Map<string, KindModel[]>();
  for (const kind of inOrder(model)) {
    for (const { name, part } of namesOf(kind)) {
      const others = (owners.get(name) ?? []).filter((other) => !isSameKind(other, kind));
      owners.set(name, [...(owners.get(name) ?? []), kind]);
      const [other] = others;
      if (other === undefined || isOfKubernetes(model, kind) || !own.has(kind)) continue;
      const near = others.find(({ group }) => group === kind.group);
      const place = placeOf(kind.declaration, part, kind.at);
      const parameters = { name, other: fullName(near ?? other), full: `${kind.plural}.${kind.group}` };
      diagnostics.report(near === undefined ? "name-ambiguous" : "name-taken", place, parameters);
    }
  }
}

/** Kubernetes' own kinds first: a conflict is reported for the later kind. */
function inOrder(model: Model): KindModel[] {
  const kinds = [...model.modules.values()].flatMap((module) => module.kinds).filter((kind) => !kind.unserved);
  return [
    ...kinds.filter((kind) => isOfKubernetes(model, kind)),
    ...kinds.filter((kind) => !isOfKubernetes(model, kind)),
  ];
}

function isOfKubernetes({ groups }: Model, kind: KindModel): boolean {
  return groups.find(({ name }) => name === kind.group)?.kubernetes === true;
}

/** Each name once: many singulars and plurals are the same. */
function namesOf({ plural, singular, shortNames }: KindModel): ResourceName[] {
  const names = new Map<string, string>();
  for (const [index, name] of shortNames.entries()) names.set(name, `shortNames.${index}`);
  names.set(singular, "singular");
  names.set(plural, "plural");
  return [...names].map(([name, part]) => ({ name, part }));
}

/** Versions of one kind share its names. */
function isSameKind(a: KindModel, b: KindModel): boolean {
  return a.group === b.group && a.kind === b.kind;
}

function fullName({ plural, group }: KindModel): string {
  return group === "" ? plural : `${plural}.${group}`;
}
