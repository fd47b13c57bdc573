import type { ApiCatalogue, Base, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { ReleaseError } from "./release.ts";

const BASES: readonly Base[] = ["kubernetes", "core", "none"];

/** Resources of a group; `*` is all of them. Names of groups without their domain. */
type Selection = Readonly<Record<string, readonly string[] | "*">>;

/** What serving any kind securely needs: namespaces, roles and bindings, and the reviews by which clients ask who they are and what they may do. */
const NONE: Selection = {
  "": ["namespaces"],
  authentication: "*",
  authorization: "*",
  "rbac.authorization": "*",
};

/** A control plane without pods and nodes. */
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

/** The base of a flag, or else that of the project. Throws a ReleaseError for one that does not exist. */
export function chooseBase(asked: string | undefined, { project }: ApiCatalogue): Base {
  const name = asked ?? project?.base ?? "kubernetes";
  const base = BASES.find((one) => one === name);
  if (base === undefined) throw new ReleaseError(`--base=${name}: there is no such base; use ${BASES.join(", ")}`);
  return base;
}

/**
 * The catalogue with the kinds of Kubernetes that a base has in the groups that the project serves, and all kinds of the project. Throws a ReleaseError for `none` without
 * any kind of the project.
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
