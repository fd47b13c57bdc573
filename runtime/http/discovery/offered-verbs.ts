import type { ResourceDescriptor, Verb } from "../../contract/resource-descriptor.ts";

const NOT_WHILE_TERMINATING: readonly Verb[] = ["create", "patch", "update"];

/** Verbs that discovery lists. A custom kind that is terminating does not offer create, update and patch. */
export function offeredVerbs({ verbs, custom }: ResourceDescriptor): readonly Verb[] {
  return custom?.terminating ? verbs.filter((verb) => !NOT_WHILE_TERMINATING.includes(verb)) : verbs;
}
