import type { SubresourceDescriptor, Verb } from "../../contract/resource-descriptor.ts";
import type { Handler } from "../handler.ts";
import { bindingHandler } from "./binding.ts";
import { connectHandler, logHandler } from "./connect.ts";
import { evictionHandler } from "./eviction.ts";
import { scaleHandlers } from "./scale.ts";
import { statusHandlers } from "./status.ts";
import type { SubresourceContext } from "./subresource-context.ts";
import { tokenHandler } from "./token.ts";

/** Returns the handlers of a subresource: special ones by name, otherwise those of the verb, applied to a part of the object. */
export function subresourceHandlers(
  context: SubresourceContext,
  verbs: Readonly<Record<Verb, Handler>>,
): (subresource: SubresourceDescriptor, verb: Verb) => Handler | undefined {
  const scale = scaleHandlers(context);
  const connect = connectHandler(context);
  const status = statusHandlers(verbs);
  const own: Readonly<Record<string, Handler>> = {
    binding: bindingHandler(context),
    eviction: evictionHandler(context),
    token: tokenHandler(context),
    log: logHandler(context),
  };
  return (subresource, verb) => {
    if (subresource.connect !== undefined) {
      return connect;
    }
    if (subresource.scale !== undefined) {
      return scale[verb];
    }
    if (subresource.name === "status") {
      return status[verb];
    }
    return Object.hasOwn(own, subresource.name) ? own[subresource.name] : verbs[verb];
  };
}
