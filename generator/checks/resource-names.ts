import { placeOf } from "../model/build-groups.ts";
import type { KindModel, Model } from "../model/model.ts";
import type { CheckContext } from "./check-context.ts";

/** A name by which clients request a resource, and the part of the declaration that defines it. */
interface ResourceName {
  readonly name: string;
  readonly part: string;
}

/**
 * Plurals, singulars and short names share one namespace: `kubectl get <name>` accepts any of them. Within a group, a name must mean one
 * kind. A name that a kind of another group already has causes a warning that contains its unambiguous form.
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

/** Returns all kinds, those of Kubernetes first: a conflict is reported for the later kind. */
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

/** Returns each name once: singular and plural are often equal. */
function namesOf({ plural, singular, shortNames }: KindModel): ResourceName[] {
  const names = new Map<string, string>();
  for (const [index, name] of shortNames.entries()) names.set(name, `shortNames.${index}`);
  names.set(singular, "singular");
  names.set(plural, "plural");
  return [...names].map(([name, part]) => ({ name, part }));
}

/** Whether two models are versions of one kind, which share its names. */
function isSameKind(a: KindModel, b: KindModel): boolean {
  return a.group === b.group && a.kind === b.kind;
}

function fullName({ plural, group }: KindModel): string {
  return group === "" ? plural : `${plural}.${group}`;
}
