import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ControllerRevision } from "./controller-revision.ts";

export const hooks = hooksFor<ControllerRevision>({
  cells: ({ metadata, revision }) => {
    const owner = metadata?.ownerReferences?.find((reference) => reference.controller === true);
    return { Controller: owner === undefined ? "<none>" : ownerText(owner), Revision: revision };
  },
});

/** `deployment.apps/web`. */
function ownerText({ apiVersion, kind, name }: { apiVersion: string; kind: string; name: string }): string {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : `.${apiVersion.slice(0, slash)}`;
  return `${kind}${group}`.toLowerCase().concat("/", name);
}
