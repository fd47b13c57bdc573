import { closest } from "../../runtime/lib/did-you-mean.ts";
import { placeOf } from "../model/build-groups.ts";
import { projectPlace } from "../model/build-project.ts";
import type { KindModel, Model, ProjectModel } from "../model/model.ts";
import { compareReleases } from "../model/versions.ts";
import type { Literal, Location } from "../reader/syntax.ts";
import type { CheckContext } from "./check-context.ts";
import { RELEASED_API } from "./evolution.ts";
import { valueSites } from "./value-sites.ts";

const SETTINGS = ["name", "title", "domain", "vendor", "base", "groups", "flags", "release", "releases", "stability"];
const RELEASE_SETTINGS = ["kubernetes", "date"];
const STABILITY_SETTINGS = ["policy", "groups", "overrides"];
const POLICY_SETTINGS = ["reason", "stableNotice", "betaNotice", "betaLifetime", "breakingChanges"];

/** Checks that `typeplane.config.ts` is valid and that kinds name existing releases. */
export function checkProject(context: CheckContext): void {
  const { model } = context;
  if (model.project.declaration !== undefined) checkConfig(context, model.project);
  for (const { kinds } of model.ownModules) for (const kind of kinds) checkReleases(context, kind);
  for (const { markers, at, owner } of valueSites(model)) {
    const folder = owner.ref.slice(0, owner.ref.indexOf("/"));
    const group = model.groups.find((one) => one.folder === folder);
    if (markers.since !== undefined) checkRelease(context, group?.name ?? "", markers.since, at);
  }
}

function checkConfig(context: CheckContext, project: ProjectModel): void {
  const value = project.declaration?.value ?? {};
  checkKeys(context, "the project", "", value, SETTINGS);
  checkName(context, project);
  checkBase(context, value.base);
  checkServedGroups(context, value.groups);
  checkFlags(context, value.flags);
  checkCalendar(context, project);
  for (const release of Object.keys(objectOf(value.releases)))
    checkKeys(
      context,
      `release ${release}`,
      `releases.${release}`,
      objectOf(value.releases)[release],
      RELEASE_SETTINGS,
    );
  const stability = objectOf(value.stability);
  checkKeys(context, "stability", "stability", value.stability, STABILITY_SETTINGS);
  if (stability.policy !== undefined) checkPolicy(context, "stability.policy", stability.policy);
  for (const [group, policy] of Object.entries(objectOf(stability.groups))) {
    const path = `stability.groups.${group}`;
    checkPolicy(context, path, policy);
    checkPolicyGroup(context, path, group);
  }
  for (const [element, reason] of Object.entries(objectOf(stability.overrides)))
    if (typeof reason !== "string" || reason.trim() === "")
      report(context, `stability.overrides.${element}`, `the override of ${element}`, "without a reason", "a sentence");
}

function checkName(context: CheckContext, { name, domain }: ProjectModel): void {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
    report(context, "name", "name", `"${name}"`, "lower-case letters, digits and dashes");
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(domain))
    report(context, "domain", "domain", `"${domain}"`, "a DNS name, like example.com");
}

const BASES = ["kubernetes", "core", "none"];

function checkBase(context: CheckContext, base: Literal | undefined): void {
  if (base === undefined) return;
  if (typeof base !== "string" || !BASES.includes(base))
    report(context, "base", "base", JSON.stringify(base), BASES.map((one) => `"${one}"`).join(" or "));
}

function checkServedGroups(context: CheckContext, groups: Literal | undefined): void {
  if (groups === undefined) return;
  const known = context.model.groups.filter(({ configuration }) => !configuration).map(({ name }) => name || "core");
  const names = Array.isArray(groups) ? groups : [];
  if (names.length === 0) {
    report(
      context,
      "groups",
      "groups",
      "empty",
      'names of groups, such as ["apps"]; base: "none" serves no other group',
    );
  }
  for (const [index, name] of names.entries()) {
    if (typeof name === "string" && known.includes(name)) continue;
    const place = projectPlace(context.model.project, `groups.${index}`);
    const parameters = { key: "groups", problem: JSON.stringify(name), expected: "a group that is defined" };
    context.diagnostics.report("config-value", place, parameters, closest(String(name), known));
  }
}

/** Checks the types of flag values. Unknown flags are reported by the server, not here. */
function checkFlags(context: CheckContext, flags: Literal | undefined): void {
  for (const [name, value] of Object.entries(objectOf(flags))) {
    const isText = (one: Literal | undefined): boolean => typeof one === "string";
    if (isText(value) || (Array.isArray(value) && value.every(isText))) continue;
    report(context, `flags.${name}`, `the flag ${name}`, JSON.stringify(value), "a string, or a list of strings");
  }
}

function checkCalendar(context: CheckContext, project: ProjectModel): void {
  const { release, releases } = project;
  for (const [index, one] of releases.entries()) {
    const path = `releases.${one.release}`;
    if (!isRelease(one.release))
      report(context, path, `release "${one.release}"`, "not a release", "major.minor, like 2.3");
    if (!isRelease(one.kubernetes))
      report(
        context,
        path,
        `kubernetes of release ${one.release}`,
        "not given",
        "the Kubernetes release it is built on, like 1.33",
      );
    const before = releases[index - 1];
    if (before !== undefined && compareReleases(before.kubernetes, one.kubernetes) > 0) {
      const problem = `${one.kubernetes}, older than ${before.kubernetes} of release ${before.release}`;
      report(context, path, `kubernetes of release ${one.release}`, problem, "a Kubernetes release that is not older");
    }
    if (one.date !== undefined && Number.isNaN(Date.parse(one.date)))
      report(context, `${path}.date`, `date of release ${one.release}`, `"${one.date}"`, "a date, like 2026-03-01");
  }
  if (releases.length === 0 && release !== context.model.release)
    report(
      context,
      "release",
      "release",
      `${release}, which is not that of Kubernetes' definitions, ${context.model.release}`,
      "`releases`, the project's own calendar",
    );
  if (releases.length > 0 && !releases.some((one) => one.release === release))
    report(context, "release", "release", release === "" ? "not given" : `"${release}"`, `one of ${listed(project)}`);
}

function checkPolicy(context: CheckContext, path: string, policy: Literal | undefined): void {
  checkKeys(context, path, path, policy, POLICY_SETTINGS);
  const { reason, stableNotice, betaNotice, betaLifetime, breakingChanges } = objectOf(policy);
  const expect = (key: string, value: Literal | undefined, words: readonly string[], takesNumber: boolean): void => {
    const isCount = takesNumber && typeof value === "number" && Number.isInteger(value) && value >= 0;
    if (value === undefined || isCount || words.includes(String(value))) return;
    const expected = [...(takesNumber ? ["a number of releases"] : []), ...words.map((word) => `"${word}"`)].join(
      " or ",
    );
    report(context, `${path}.${key}`, key, JSON.stringify(value), expected);
  };
  if (typeof reason !== "string" || reason.trim() === "")
    report(context, path, `the reason of ${path}`, "not given", "a sentence that says why other rules hold");
  expect("stableNotice", stableNotice, ["never"], true);
  expect("betaNotice", betaNotice, [], true);
  expect("betaLifetime", betaLifetime, ["unlimited"], true);
  expect("breakingChanges", breakingChanges, ["alpha", "beta", "stable"], false);
}

function checkPolicyGroup({ model, tree, diagnostics }: CheckContext, path: string, name: string): void {
  const own = model.groups.filter(({ kubernetes, configuration }) => !kubernetes && !configuration);
  if (own.some((group) => group.name === name)) return;
  // A group that is being removed still needs its policy.
  if (tree.files.get(RELEASED_API)?.includes(`{"group":${JSON.stringify(name)},`) && !isKubernetes(model, name)) return;
  const isForeign = isKubernetes(model, name);
  const key = `${path}: ${name}`;
  const problem = isForeign ? "a group of Kubernetes, whose rules stay as they are" : "not a group of the project";
  const expected = own.length === 0 ? "a group of the project" : own.map((group) => group.name).join(", ");
  const suggestion = closest(
    name,
    own.map((group) => group.name),
  );
  diagnostics.report("config-value", projectPlace(model.project, path), { key, problem, expected }, suggestion);
}

function checkKeys(
  { model, diagnostics }: CheckContext,
  where: string,
  path: string,
  value: Literal | undefined,
  known: readonly string[],
): void {
  for (const key of Object.keys(objectOf(value))) {
    if (known.includes(key)) continue;
    const place = projectPlace(model.project, path === "" ? key : `${path}.${key}`);
    diagnostics.report("config-unknown", place, { key, where, expected: known.join(", ") }, closest(key, known));
  }
}

const STAGES = ["introduced", "deprecated", "removed"] as const;

/**
 * Checks that the releases of a kind exist: in the project's calendar for its own kinds, in that of Kubernetes for others and if the project
 * has no calendar.
 */
function checkReleases(context: CheckContext, kind: KindModel): void {
  for (const stage of STAGES) {
    const release = kind.lifecycle[stage];
    if (release !== undefined) checkRelease(context, kind.group, release, placeOf(kind.declaration, stage, kind.at));
  }
}

function checkRelease({ model, diagnostics }: CheckContext, group: string, release: string, place: Location): void {
  const { project } = model;
  const isOwn = !isKubernetes(model, group) && project.releases.length > 0;
  const isKnown = isOwn
    ? project.releases.some((one) => one.release === release)
    : isRelease(release) && majorOf(release) === majorOf(model.release);
  if (isKnown) return;
  diagnostics.report("release-unknown", place, {
    release,
    calendar: isOwn ? project.name : "Kubernetes",
    expected: isOwn
      ? `one of ${listed(project)}; list planned releases in ${project.at.file}, too`
      : `a release like ${model.release}`,
  });
}

function isKubernetes({ groups }: Model, name: string): boolean {
  return groups.find((group) => group.name === name && !group.configuration)?.kubernetes === true;
}

function report(context: CheckContext, path: string, key: string, problem: string, expected: string): void {
  context.diagnostics.report("config-value", projectPlace(context.model.project, path), { key, problem, expected });
}

function listed({ releases }: ProjectModel): string {
  return releases.map(({ release }) => release).join(", ");
}

function isRelease(text: string): boolean {
  return /^\d{1,4}\.\d{1,4}$/.test(text);
}

function majorOf(release: string): string {
  return release.slice(0, release.indexOf("."));
}

function objectOf(value: Literal | undefined): { readonly [key: string]: Literal | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Literal })
    : {};
}
