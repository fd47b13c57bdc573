import type { ApiCatalogue, Base, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { ReleaseError } from "./release.ts";

const BASES: readonly Base[] = ["kubernetes", "core", "none"];

/** Resources by group; `*` means all. Names of groups are without their domain. */
type Selection = Readonly<Record<string, readonly string[] | "*">>;

/**
 * The kinds needed to serve any kind securely: namespaces, roles and bindings, and the reviews with which clients query their identity and
 * permissions.
 */
const NONE: Selection = {
  "": ["namespaces"],
  authentication: "*",
  authorization: "*",
  "rbac.authorization": "*",
};

/** The kinds of a control plane without pods and nodes. */
const CORE: Selection = {
  ...NONE,
  "": ["configmaps", "events", "namespaces", "secrets", "serviceaccounts"],
  admissionregistration: "*",
  apiextensions: "*",
  apiregistration: "*",
  coordination: "*",
  events: "*",
  "flowcontrol.apiserver": "*",
};

/** Returns the base from a flag, otherwise that of the project. Throws a ReleaseError if it does not exist. */
export function chooseBase(asked: string | undefined, { project }: ApiCatalogue): Base {
  const name = asked ?? project?.base ?? "kubernetes";
  const base = BASES.find((one) => one === name);
  if (base === undefined) throw new ReleaseError(`--base=${name}: there is no such base; use ${BASES.join(", ")}`);
  return base;
}

/**
 * Reduces the catalogue to the kinds of Kubernetes that the base contains, in the groups that the project serves, and all kinds of the project.
 * Throws a ReleaseError for `none` if the project has no kinds.
 */
export function selectBase(catalogue: ApiCatalogue, base: Base): ApiCatalogue {
  const { groups: listed } = catalogue.project ?? {};
  if (base === "kubernetes" && listed === undefined) return catalogue;
  const ofKubernetes = new Set(catalogue.groups.filter(({ kubernetes }) => kubernetes).map(({ name }) => name));
  if (base === "none" && catalogue.resources.every(({ group }) => ofKubernetes.has(group)))
    throw new ReleaseError(
      'base "none" serves only the project\'s own kinds, and the project defines none: add one to api-definitions/, or use base "core" or "kubernetes"',
    );
  const has = (selection: Selection, { group, resource }: ResourceDescriptor): boolean => {
    const chosen = selection[group.replace(`.${catalogue.domain}`, "")];
    return chosen === "*" || chosen?.includes(resource) === true;
  };
  const inBase = (one: ResourceDescriptor): boolean => base === "kubernetes" || has(base === "core" ? CORE : NONE, one);
  const isListed = ({ group }: ResourceDescriptor): boolean => listed?.includes(group || "core") !== false;
  const isChosen = (one: ResourceDescriptor): boolean =>
    !ofKubernetes.has(one.group) || has(NONE, one) || (inBase(one) && isListed(one));
  const resources = catalogue.resources.filter(isChosen);
  const groups = catalogue.groups.filter(({ name }) => resources.some(({ group }) => group === name));
  return { ...catalogue, groups, resources };
}
