// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { event as defineEvent, type Event } from "../../api-definitions/events/v1beta1/event.ts";

/** A report of something that happened to an object, such as a failed image pull, for people who investigate problems. The server deletes events after one hour by default. Do not build automation on them: wording, timing and delivery are not guaranteed. Events of both groups, `""` and `events.k8s.io`, are the same stored objects. */
export const events = resourceToken<Event>({
  group: "events.k8s.io",
  version: "v1beta1",
  kind: "Event",
  resource: "events",
  namespaced: true,
}, defineEvent);
