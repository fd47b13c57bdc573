import { posix } from "node:path";
import { placeOf } from "../model/build-groups.ts";
import type { GroupModel } from "../model/model.ts";
import type { CheckContext } from "./check-context.ts";

const GROUP_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Checks that a group is defined in one folder and that every version that it lists is defined. Kinds of configuration files may use the name
 * of a group that is served.
 */
export function checkGroups({ model, diagnostics }: CheckContext): void {
  const folders = new Map<string, GroupModel>();
  const own = new Set(model.ownGroups);
  for (const group of [...model.groups.filter((one) => !own.has(one)), ...own]) {
    const { name, folder, versions, at } = group;
    const other = group.configuration ? undefined : folders.get(name);
    if (other !== undefined)
      diagnostics.report("group-twice", at, { group: name, other: posix.dirname(other.at.file) });
    if (!group.configuration) folders.set(name, other ?? group);
    if (!own.has(group)) continue;
    if (!group.kubernetes && !group.configuration && !GROUP_NAME.test(name)) {
      const parameters = {
        name: JSON.stringify(name),
        what: "a group",
        expected: "a domain in lower case, like fleet.example.com",
      };
      diagnostics.report("name-shape", placeOf(group.declaration, "name", at), parameters);
    }
    const twice = versions.find((version, index) => versions.indexOf(version) !== index);
    if (twice !== undefined)
      diagnostics.report("marker-twice", placeOf(group.declaration, "versions", at), { marker: twice });
    for (const version of versions) {
      if (model.modules.has(`${folder}/${version}`)) continue;
      diagnostics.report("version-empty", at, {
        group: name || "the core group",
        version,
        folder: posix.dirname(at.file),
      });
    }
  }
}
