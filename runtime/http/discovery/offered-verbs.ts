import type { ResourceDescriptor, Verb } from "../../contract/resource-descriptor.ts";

const NOT_WHILE_TERMINATING: readonly Verb[] = ["create", "patch", "update"];

/** What clients are told they can do: a kind that is going away is not for writing. */
export function offeredVerbs({ verbs, custom }: ResourceDescriptor): readonly Verb[] {
  return custom?.terminating ? verbs.filter((verb) => !NOT_WHILE_TERMINATING.includes(verb)) : verbs;
}
