import type { ApiChange } from "./api-change.ts";
import { compareTypes } from "./compare-types.ts";
import type { ApiSnapshot, GateSnapshot, KindSnapshot } from "./snapshot.ts";

/** Every change between two states of an API, kinds first. */
export function compareApis(before: ApiSnapshot, after: ApiSnapshot): ApiChange[] {
  const modules = Object.entries(before.modules).flatMap(([module, types]) => {
    const now = after.modules[module];
    return now === undefined ? [] : compareTypes(module, types, now);
  });
  return [...compareKinds(before.kinds, after.kinds), ...modules, ...compareGates(before.gates, after.gates)];
}

export function kindName({ group, version, kind }: KindSnapshot): string {
  return `${group === "" ? version : `${group}/${version}`} ${kind}`;
}

function compareKinds(before: readonly KindSnapshot[], after: readonly KindSnapshot[]): ApiChange[] {
  const changes: ApiChange[] = [];
  const now = new Map(after.map((kind) => [kindName(kind), kind]));
  const old = new Map(before.map((kind) => [kindName(kind), kind]));
  for (const [where, kind] of old) {
    const next = now.get(where);
    if (next === undefined) {
      changes.push({ code: "kind-removed", where, text: "was removed", module: kind.module });
      continue;
    }
    for (const text of offerChanges(kind, next))
      changes.push({ code: "kind-changed", where, text, module: kind.module });
    const life = lifeText(kind);
    if (life !== lifeText(next))
      changes.push({
        code: "lifecycle-changed",
        where,
        text: `was ${life} and is ${lifeText(next)}`,
        module: kind.module,
      });
    if (kind.storage !== next.storage)
      changes.push({
        code: "storage-changed",
        where,
        text: `was stored as ${kind.storage} and is as ${next.storage}`,
        module: kind.module,
      });
  }
  for (const [where, kind] of now)
    if (!old.has(where))
      changes.push({ code: "kind-added", where, text: `is new: ${lifeText(kind)}`, module: kind.module });
  return changes;
}

/** What clients could do with a kind and no longer can. */
function offerChanges(old: KindSnapshot, now: KindSnapshot): string[] {
  const scope = ({ namespaced }: KindSnapshot): string => (namespaced === true ? "namespaced" : "cluster-scoped");
  const gone = (before: readonly string[] = [], after: readonly string[] = []): string[] =>
    before.filter((name) => !after.includes(name));
  return [
    ...(old.resource === now.resource ? [] : [`was named ${old.resource} and is ${now.resource}`]),
    ...(old.namespaced === undefined || scope(old) === scope(now) ? [] : [`was ${scope(old)} and is ${scope(now)}`]),
    ...gone(old.verbs, now.verbs).map((verb) => `can no longer be asked to ${verb}`),
    ...gone(old.subresources, now.subresources).map((name) => `no longer has the subresource ${name}`),
  ];
}

function lifeText({ lifecycle: { introduced, deprecated, removed } }: KindSnapshot): string {
  const parts = [
    introduced === undefined ? "always there" : `introduced in ${introduced}`,
    ...(deprecated === undefined ? [] : [`deprecated in ${deprecated}`]),
    ...(removed === undefined ? [] : [`removed in ${removed}`]),
  ];
  return parts.join(", ");
}

function compareGates(before: readonly GateSnapshot[], after: readonly GateSnapshot[]): ApiChange[] {
  const now = new Map(after.map((gate) => [gate.name, gate]));
  const old = new Map(before.map((gate) => [gate.name, gate]));
  const changes: ApiChange[] = [];
  for (const [name, gate] of old) {
    const next = now.get(name);
    const where = `gate ${name}`;
    if (next === undefined) changes.push({ code: "gate-removed", where, text: "was removed" });
    else if (gateText(gate) !== gateText(next))
      changes.push({ code: "gate-changed", where, text: `was ${gateText(gate)} and is ${gateText(next)}` });
  }
  for (const [name, gate] of now)
    if (!old.has(name)) changes.push({ code: "gate-added", where: `gate ${name}`, text: `is new: ${gateText(gate)}` });
  return changes;
}

function gateText({ steps, dropped }: GateSnapshot): string {
  const texts = steps.map(({ since, stage }) => `${stage} since ${since}`);
  return [...texts, ...(dropped === undefined ? [] : [`dropped in ${dropped}`])].join(", ");
}
