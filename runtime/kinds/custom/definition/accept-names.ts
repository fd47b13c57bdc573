import { goQuote } from "../../../go/quote.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import {
  type CustomDefinition,
  type DefinitionCondition,
  type DefinitionNames,
  type DefinitionStatus,
  findCondition,
  isConditionTrue,
  withCondition,
} from "./custom-definition.ts";

/** Names in use in one group: resources and kinds each have to be unique. */
export interface NamesInUse {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

const NO_NAMES: DefinitionNames = { plural: "", kind: "" };

/** The accepted names of the definitions of a group. */
export function namesInUse(definitions: Iterable<CustomDefinition>, group: string): NamesInUse {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { spec, status } of definitions) {
    if (spec.group !== group) continue;
    const { plural, singular = "", shortNames = [], kind, listKind = "" } = status?.acceptedNames ?? NO_NAMES;
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    for (const name of [kind, listKind]) kinds.add(name);
  }
  resources.delete("");
  kinds.delete("");
  return { resources, kinds };
}

/**
 * The status of a definition after a check of its names against those in use: first come, first served. A definition whose
 * names are all accepted is established and stays so. Returns the same status if nothing changes.
 */
export function acceptNames(definition: CustomDefinition, inUse: NamesInUse, now: string): DefinitionStatus {
  const { spec, status = {} } = definition;
  const granted = status.acceptedNames ?? NO_NAMES;
  if (equalJson(spec.names, granted)) return establish(definition, status, now);
  const { names, conflict } = grantNames(spec.names, granted, inUse);
  const conditions = withCondition(status.conditions ?? [], conflict ?? ACCEPTED, now);
  const established = findCondition(definition, "Established");
  const next: DefinitionStatus = {
    ...status,
    acceptedNames: names,
    conditions:
      established?.status === "True"
        ? conditions
        : withCondition(conditions, conflict === undefined ? ESTABLISHED : (established ?? NOT_ACCEPTED), now),
  };
  return equalJson(next, status) ? status : next;
}

/** Names that were all accepted are not checked again, even if a client changed the conditions since. */
function establish(definition: CustomDefinition, status: DefinitionStatus, now: string): DefinitionStatus {
  if (!isConditionTrue(definition, "NamesAccepted") || isConditionTrue(definition, "Established")) return status;
  return { ...status, conditions: withCondition(status.conditions ?? [], ESTABLISHED, now) };
}

type Condition = Omit<DefinitionCondition, "lastTransitionTime">;

const ACCEPTED: Condition = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};
const ESTABLISHED: Condition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};
const NOT_ACCEPTED: Condition = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

/** Accepts each name that is free or was accepted before; reports the last conflict. */
function grantNames(
  wanted: DefinitionNames,
  granted: DefinitionNames,
  inUse: NamesInUse,
): { readonly names: DefinitionNames; readonly conflict: Condition | undefined } {
  let conflict: Condition | undefined;
  const refuse = (reason: string, message: string): void => {
    conflict = { type: "NamesAccepted", status: "False", reason, message };
  };
  const grant = (
    name: "plural" | "singular" | "kind" | "listKind",
    taken: ReadonlySet<string>,
    reason: string,
  ): string => {
    const asked = wanted[name] ?? "";
    const has = granted[name] ?? "";
    if (asked === has || !taken.has(asked)) return asked;
    refuse(reason, `${goQuote(asked)} is already in use`);
    return has;
  };
  const plural = grant("plural", inUse.resources, "PluralConflict");
  const singular = grant("singular", inUse.resources, "SingularConflict");
  const known = new Set(granted.shortNames ?? []);
  const clashes = (wanted.shortNames ?? []).filter((name) => !known.has(name) && inUse.resources.has(name));
  if (clashes.length > 0) refuse("ShortNamesConflict", clashText(clashes));
  const shortNames = clashes.length > 0 ? granted.shortNames : wanted.shortNames;
  const kind = grant("kind", inUse.kinds, "KindConflict");
  const listKind = grant("listKind", inUse.kinds, "ListKindConflict");
  const names: DefinitionNames = {
    plural,
    ...(singular !== "" && { singular }),
    ...(shortNames !== undefined && { shortNames }),
    kind,
    ...(listKind !== "" && { listKind }),
    ...(wanted.categories !== undefined && { categories: wanted.categories }),
  };
  return { names, conflict };
}

function clashText(names: readonly string[]): string {
  const texts = names.map((name) => `${goQuote(name)} is already in use`);
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(", ")}]`;
}
