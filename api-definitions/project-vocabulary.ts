/**
 * What a project says of itself in `typeplane.config.ts`, at its root: `export default defineConfig({ … })`. The generator reads the
 * file as text, so every value is a literal. docs/versioning.md explains releases and stability rules.
 */

/** A release, such as `1.33`. */
export type Release = `${number}.${number}`;

export interface ReleaseDeclaration {
  /** Kubernetes release that this release is built on: kinds of Kubernetes are served as they were at that release. */
  kubernetes: Release;
  /** Date of the release, `2026-03-01`; shown as the build date in `/version`. */
  date?: `${number}-${number}-${number}`;
}

/** Which changes to released versions are allowed. What is left out is as in Kubernetes. */
export interface StabilityPolicy {
  /** Why the rules of Kubernetes do not fit. */
  reason: string;
  /** Releases from the deprecation of a stable version to its removal; "never", the rule of Kubernetes, does not allow the removal. */
  stableNotice?: number | "never";
  /** Releases from the deprecation of a beta version to its removal. Defaults to 3. */
  betaNotice?: number;
  /** Releases from the introduction of a beta version to its deprecation, at most; "unlimited" sets no limit. Defaults to 3. */
  betaLifetime?: number | "unlimited";
  /** The most stable level at which released fields, kinds and values may change or go without a new version. Defaults to "alpha". */
  breakingChanges?: "alpha" | "beta" | "stable";
}

export interface StabilityDeclaration {
  /** Rules for the project's own groups. Defaults to those of Kubernetes. */
  policy?: StabilityPolicy;
  /** Rules for single groups of the project, by name: `fleet.example.com`. */
  groups?: { readonly [group: string]: StabilityPolicy };
  /**
   * Changes that are allowed although they break a rule, each with the reason. The key is what the diagnostic names:
   * `fleet.example.com/v1 Truck`, or `fleet.example.com/v1 TruckSpec.seats`.
   */
  overrides?: { readonly [element: string]: string };
}

export interface ProjectConfig {
  /** Short name of the project: lower-case letters, digits and dashes. Part of `gitVersion` in `/version` if the project has `releases`. */
  name: string;
  /** Title of the OpenAPI documents. Defaults to the name. */
  title?: string;
  /**
   * Domain of the project: fills `<domain>` in the names of its own groups, and is part of the name of the annotation that holds
   * fields which an older version of a kind lacks. Defaults to the domain of Kubernetes, `k8s.io`, whose groups keep it in any case.
   */
  domain?: string;
  /** Prefix of OpenAPI extensions and media types. Defaults to `kubernetes`, the only one that clients such as kubectl know. */
  vendor?: string;
  /**
   * Which kinds of Kubernetes are served beside the project's own: `kubernetes`, the default, serves all of them; `core` is a control
   * plane without pods and nodes; `none` serves namespaces, RBAC and reviews only. docs/guides/bases.md lists them.
   */
  base?: "kubernetes" | "core" | "none";
  /**
   * Groups of the base that are served, by name: `["apps", "batch"]`; `core` is the group without a name. What base `none` has is served
   * in any case, and the project's own groups are. Defaults to all groups of the base.
   */
  groups?: readonly string[];
  /**
   * Flags of `typeplane serve`, by name without dashes: `{ "secure-port": "7443", "feature-gates": "WatchList=true" }`; a list repeats a
   * flag. Flags on the command line replace them. docs/flags.md lists all flags.
   */
  flags?: { readonly [flag: string]: string | readonly string[] };
  /** The current release: what the definitions describe, and what is served without `--release`. Required with `releases`. */
  release?: Release;
  /**
   * The project's own releases, past and planned, each with the Kubernetes release that it is built on. `introduced`, `deprecated`
   * and `removed` of the project's kinds are releases of this calendar, and `--release` takes one of them. Without it the
   * project's releases are those of Kubernetes.
   */
  releases?: { readonly [release: Release]: ReleaseDeclaration };
  /** Which changes to released versions are allowed. Defaults to the rules of Kubernetes. */
  stability?: StabilityDeclaration;
}

/** Declares the project. A key that does not exist is a compile error, and the generator reports it. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
