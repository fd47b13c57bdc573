import { goQuote } from "../../../go/quote.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import {
  type CustomDefinition,
  type DefinitionCondition,
  type DefinitionNames,
  type DefinitionStatus,
  findCondition,
  hasReadableCaBundle,
  isConditionTrue,
  withCondition,
} from "./custom-definition.ts";

/** Names in use in one group. Names of resources must be unique, and names of kinds must be unique. */
export interface NamesInUse {
  readonly resources: NameSet;
  readonly kinds: NameSet;
}

interface NameSet {
  has(name: string): boolean;
}

const NO_NAMES: DefinitionNames = { plural: "", kind: "" };

interface OwnNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The accepted names of a definition. */
function acceptedNames({ status }: CustomDefinition): OwnNames {
  const { plural, singular = "", shortNames = [], kind, listKind = "" } = status?.acceptedNames ?? NO_NAMES;
  const resources = new Set([plural, singular, ...shortNames]);
  const kinds = new Set([kind, listKind]);
  resources.delete("");
  kinds.delete("");
  return { resources, kinds };
}

/** The accepted names of all definitions, counted by group, so that the names available to one definition are found without visiting the others. */
export class AcceptedNames {
  readonly #groups = new Map<string, { readonly resources: NameCounts; readonly kinds: NameCounts }>();

  add(definition: CustomDefinition): void {
    this.#count(definition, 1);
  }

  remove(definition: CustomDefinition): void {
    this.#count(definition, -1);
  }

  /** Returns the names used by other definitions of the same group. `definition` itself must have been added. */
  ofOthers(definition: CustomDefinition): NamesInUse {
    const known = this.#groups.get(definition.spec.group);
    const own = acceptedNames(definition);
    const others = (part: keyof OwnNames): NameSet => ({
      has: (name) => (known?.[part].get(name) ?? 0) > (own[part].has(name) ? 1 : 0),
    });
    return { resources: others("resources"), kinds: others("kinds") };
  }

  #count(definition: CustomDefinition, by: number): void {
    const { group } = definition.spec;
    const known = this.#groups.get(group) ?? { resources: new Map(), kinds: new Map() };
    const { resources, kinds } = acceptedNames(definition);
    for (const name of resources) count(known.resources, name, by);
    for (const name of kinds) count(known.kinds, name, by);
    if (known.resources.size + known.kinds.size > 0) this.#groups.set(group, known);
    else this.#groups.delete(group);
  }
}

type NameCounts = Map<string, number>;

function count(counts: NameCounts, name: string, by: number): void {
  const next = (counts.get(name) ?? 0) + by;
  if (next > 0) counts.set(name, next);
  else counts.delete(name);
}

/**
 * Computes the status of a definition by checking its names against those in use: first come, first served. A definition whose names are all
 * accepted becomes established and stays so, provided that the CA certificates of its conversion webhook can be read. Returns the same status
 * object if nothing changes.
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
        : withCondition(
            conditions,
            conflict === undefined ? establishing(definition) : (established ?? NOT_ACCEPTED),
            now,
          ),
  };
  return equalJson(next, status) ? status : next;
}

/** Establishes a definition if its names are accepted. Names that were all accepted are not checked again, even if a client changed conditions. */
function establish(definition: CustomDefinition, status: DefinitionStatus, now: string): DefinitionStatus {
  if (!isConditionTrue(definition, "NamesAccepted") || isConditionTrue(definition, "Established")) return status;
  const next = { ...status, conditions: withCondition(status.conditions ?? [], establishing(definition), now) };
  return equalJson(next, status) ? status : next;
}

function establishing(definition: CustomDefinition): Condition {
  return hasReadableCaBundle(definition) ? ESTABLISHED : UNREADABLE;
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
const UNREADABLE: Condition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};
const NOT_ACCEPTED: Condition = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

/** Accepts each name that is free or was accepted before. Reports the last conflict. */
function grantNames(
  wanted: DefinitionNames,
  granted: DefinitionNames,
  inUse: NamesInUse,
): { readonly names: DefinitionNames; readonly conflict: Condition | undefined } {
  let conflict: Condition | undefined;
  const refuse = (reason: string, message: string): void => {
    conflict = { type: "NamesAccepted", status: "False", reason, message };
  };
  const grant = (name: "plural" | "singular" | "kind" | "listKind", taken: NameSet, reason: string): string => {
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
