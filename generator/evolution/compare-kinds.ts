import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import type { ApiChange, ChangeCode } from "./api-change.ts";
import type { KindSnapshot } from "./snapshot.ts";
import { dateChange, missingFrom, present, propertyChange } from "./wording.ts";

export function kindName(kind: Pick<KindSnapshot, "group" | "version" | "kind">): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

/** Returns kinds that were added or removed, and changes of their features. */
export function compareKinds(before: readonly KindSnapshot[], after: readonly KindSnapshot[]): ApiChange[] {
  const now = new Map(after.map((kind) => [kindName(kind), kind]));
  const old = new Map(before.map((kind) => [kindName(kind), kind]));
  const versions = { before: new Set(before.map(apiVersionOf)), after: new Set(after.map(apiVersionOf)) };
  const changes: ApiChange[] = [];
  for (const [where, kind] of old) {
    const next = now.get(where);
    if (next !== undefined) changes.push(...compareKind(where, kind, next));
    else changes.push({ ...whole("kind-removed", where, kind, versions.after), text: "was removed" });
  }
  for (const [where, kind] of now) {
    if (!old.has(where)) changes.push({ ...whole("kind-added", where, kind, versions.before), text: newKind(kind) });
  }
  return changes;
}

function whole(code: ChangeCode, where: string, kind: KindSnapshot, elsewhere: ReadonlySet<string>) {
  const apiVersion = apiVersionOf(kind);
  const { module } = kind;
  const withVersion = elsewhere.has(apiVersion) ? {} : { withVersion: { apiVersion, kind: kind.kind } };
  return { code, where, module, ...withVersion };
}

function newKind({ lifecycle: { introduced, deprecated, removed } }: KindSnapshot): string {
  const life = present([
    introduced && `introduced in ${introduced}`,
    deprecated && `deprecated in ${deprecated}`,
    removed && `removed in ${removed}`,
  ]);
  return life.length === 0 ? "is new" : `is new: ${life.join(", ")}`;
}

function compareKind(where: string, old: KindSnapshot, now: KindSnapshot): ApiChange[] {
  const { module } = now;
  const of = (code: ChangeCode, texts: readonly string[]): ApiChange[] =>
    texts.map((text) => ({ code, where, text, module }));
  return [
    ...of("kind-changed", losses(old, now)),
    ...of("kind-extended", gains(old, now)),
    ...of("lifecycle-changed", lifeChanges(old, now)),
    ...of("storage-changed", present([propertyChange("stored version", old.storage, now.storage)])),
  ];
}

/** Lists of a kind's features. Old snapshots may lack some. */
const OFFERS = [
  ["verbs", "verb"],
  ["subresources", "subresource"],
  ["selectableFields", "field selector"],
  ["shortNames", "short name"],
  ["categories", "category"],
] as const;

/** Returns the features that clients could use and that are missing now. */
function losses(old: KindSnapshot, now: KindSnapshot): string[] {
  const scope = ({ namespaced }: KindSnapshot): string => (namespaced === true ? "namespaced" : "cluster-scoped");
  return present([
    old.resource === now.resource ? undefined : `was renamed from ${old.resource} to ${now.resource}`,
    old.namespaced === undefined || scope(old) === scope(now) ? undefined : `became ${scope(now)}`,
    ...OFFERS.flatMap(([list, name]) =>
      now[list] === undefined ? [] : missingFrom(now[list], old[list]).map((one) => `lost the ${name} ${one}`),
    ),
    old.offByDefault !== true && now.offByDefault === true && old.columns !== undefined
      ? "is now off by default"
      : undefined,
    now.gate === undefined || old.columns === undefined ? undefined : propertyChange("gate", old.gate, now.gate),
  ]);
}

function gains(old: KindSnapshot, now: KindSnapshot): string[] {
  const columns = (kind: KindSnapshot): string | undefined => kind.columns?.join(", ");
  return present([
    ...OFFERS.flatMap(([list, name]) =>
      old[list] === undefined ? [] : missingFrom(old[list], now[list]).map((one) => `got the ${name} ${one}`),
    ),
    old.offByDefault === true && now.offByDefault !== true ? "is now served by default" : undefined,
    now.gate === undefined ? propertyChange("gate", old.gate, now.gate) : undefined,
    old.columns === undefined || now.columns === undefined
      ? undefined
      : propertyChange("columns", columns(old), columns(now)),
  ]);
}

const INTRODUCTION = {
  event: "introduction",
  came: "is now introduced in",
  went: "has no introduction any more (was in",
};
const DEPRECATION = {
  event: "deprecation",
  came: "became deprecated as of",
  went: "is no longer deprecated (was as of",
};
const REMOVAL = { event: "removal", came: "is to be removed in", went: "is no longer to be removed (was in" };

function lifeChanges({ lifecycle: old }: KindSnapshot, { lifecycle: now }: KindSnapshot): string[] {
  const replacement = ({ replacement: kind }: KindSnapshot["lifecycle"]): string | undefined =>
    kind && `${apiVersionOf(kind)} ${kind.kind}`;
  return present([
    dateChange(INTRODUCTION, old.introduced, now.introduced),
    dateChange(DEPRECATION, old.deprecated, now.deprecated),
    dateChange(REMOVAL, old.removed, now.removed),
    propertyChange("replacement", replacement(old), replacement(now)),
  ]);
}
