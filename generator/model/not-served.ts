import type { KindModel, Model } from "./model.ts";
import { compareReleases } from "./versions.ts";

/** Returns the project's own kinds that its current release does not serve by default, one line for each. */
export function kindsNotServed(model: Model): string[] {
  const own = new Set(model.ownGroups.filter(({ kubernetes }) => !kubernetes).map(({ name }) => name));
  const kinds = [...model.modules.values()].flatMap((module) => module.kinds);
  return kinds.flatMap((kind) => {
    const reason = kind.unserved || !own.has(kind.group) ? undefined : reasonOf(kind, model.project.release);
    return reason === undefined ? [] : [`${kind.group}/${kind.version} ${kind.kind} ${reason}`];
  });
}

function reasonOf({ group, version, lifecycle, offByDefault, gate }: KindModel, release: string): string | undefined {
  const { introduced, removed } = lifecycle;
  if (introduced !== undefined && compareReleases(release, introduced) < 0)
    return `is served from release ${introduced}; the current release is ${release}`;
  if (removed !== undefined && compareReleases(removed, release) <= 0) return `was removed in release ${removed}`;
  if (offByDefault) return `is off by default; --runtime-config=${group}/${version}=true turns it on`;
  return gate === undefined ? undefined : `is served only while the feature gate ${gate} is on`;
}
