// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { Event } from "../../api-definitions/events/v1beta1/event.ts";

/** Something that happened to an object, kept for a while for people to read. */
export const events = resourceToken<Event>({
  group: "events.k8s.io",
  version: "v1beta1",
  kind: "Event",
  resource: "events",
  namespaced: true,
});
