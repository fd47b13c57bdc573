import type { ProjectSyntax } from "../reader/read-project.ts";
import { PROJECT_FILE } from "../reader/read-project.ts";
import type { Literal, Location } from "../reader/syntax.ts";
import { type Platform, pairs, placeOf, strings, text } from "./build-groups.ts";
import type { ProjectModel, ReleaseModel, StabilityPolicy } from "./model.ts";
import { compareReleases } from "./versions.ts";

/** The stability rules of Kubernetes, explained in docs/versioning.md. */
export const KUBERNETES_POLICY: StabilityPolicy = {
  stableNotice: "never",
  betaNotice: 3,
  betaLifetime: 3,
  breakingChanges: "alpha",
};

/** Returns the project as configured. Without a configuration, the project is Kubernetes itself. */
export function buildProject(syntax: ProjectSyntax | undefined, platform: Platform): ProjectModel {
  const { declaration, at = { file: PROJECT_FILE, line: 1, column: 1, text: "" } } = syntax ?? {};
  const value = declaration?.value ?? {};
  const name = text(value.name, platform.vendor);
  const stability = objectOf(value.stability);
  const policy = { ...KUBERNETES_POLICY, ...policyOf(stability.policy) };
  const releases = Object.entries(objectOf(value.releases)).map(([release, of]): ReleaseModel => {
    const { kubernetes, date } = objectOf(of);
    return {
      release,
      kubernetes: text(kubernetes, ""),
      ...(typeof date === "string" && { date }),
    };
  });
  return {
    name,
    title: text(value.title, syntax === undefined ? capitalized(name) : name),
    domain: text(value.domain, platform.domain),
    ...((value.base === "core" || value.base === "none") && { base: value.base }),
    ...(value.groups !== undefined && { groups: strings(value.groups) }),
    ...(value.flags !== undefined && { flags: flagsOf(value.flags) }),
    release: text(value.release, releases.length === 0 ? platform.release : ""),
    releases: releases.sort((a, b) => compareReleases(a.release, b.release)),
    policy,
    groupPolicies: new Map(
      Object.entries(objectOf(stability.groups)).map(([group, its]) => [group, { ...policy, ...policyOf(its) }]),
    ),
    overrides: new Map(Object.entries(pairs(stability.overrides))),
    ...(declaration && { declaration }),
    at,
  };
}

/** Returns the location of a part of the configuration, or of the whole if the part is not configured. */
export function projectPlace({ declaration, at }: ProjectModel, path: string): Location {
  return declaration === undefined ? at : placeOf(declaration, path, at);
}

function policyOf(value: Literal | undefined): Partial<StabilityPolicy> {
  const { stableNotice, betaNotice, betaLifetime, breakingChanges } = objectOf(value);
  return {
    ...((typeof stableNotice === "number" || stableNotice === "never") && { stableNotice }),
    ...(typeof betaNotice === "number" && { betaNotice }),
    ...((typeof betaLifetime === "number" || betaLifetime === "unlimited") && { betaLifetime }),
    ...((breakingChanges === "alpha" || breakingChanges === "beta" || breakingChanges === "stable") && {
      breakingChanges,
    }),
  };
}

function objectOf(value: Literal | undefined): { readonly [key: string]: Literal | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Literal })
    : {};
}

function flagsOf(value: Literal | undefined): { readonly [flag: string]: string | readonly string[] } {
  const entries = Object.entries(objectOf(value)).map(([name, flag = ""]): [string, string | string[]] => [
    name,
    Array.isArray(flag) ? strings(flag) : String(flag),
  ]);
  return Object.fromEntries(entries);
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
