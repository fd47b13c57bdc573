import type { ApiObject } from "../../contract/api-object.ts";
import { notesOf } from "../../go/source-notes.ts";
import { registryKey } from "../../kinds/registry-key.ts";
import { admitValidating, admitWritten } from "../../resource/admit.ts";
import { notFound } from "../../values/status-errors.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { canonical, readPosted } from "./posted-object.ts";
import type { SubresourceContext } from "./subresource-context.ts";
import { subresourceResource } from "./subresource-resource.ts";
import { subresourceType } from "./subresource-type.ts";

/** POST to `serviceaccounts/<name>/token`. */
export function tokenHandler(context: SubresourceContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, info } = request;
    const posted = await readPosted(request, context, { owned: said });
    const { schema } = subresourceType(request, context);
    const { write } = posted;
    const admitted = await admitWritten(write, info.name, posted.object, undefined, context);
    const key = registryKey(resource.stored.prefix, info.namespace, info.name);
    if ((await resource.stored.cache.get(key)) === undefined) {
      throw notFound(resource.groupResource, info.name);
    }
    const object = await context.issueToken({
      object: admitted,
      user: request.user,
      namespace: info.namespace,
      name: info.name,
      warn: request.warn,
      annotate: request.annotate,
      admit: (final) => admitValidating(write, { operation: "CREATE", name: info.name, object: final }, context),
    });
    const shown = await canonical(object, schema, write);
    return { type: "object", status: 201, object: shown, schema, resource: subresourceResource(request, context) };
  };
}

/** Removes null fields from the spec, such as an unset reference, so that no manager owns them. Empty lists are owned. */
function said({ spec = {}, ...rest }: ApiObject): ApiObject {
  const given = Object.fromEntries(Object.entries(spec as object).filter(([, value]) => value !== null));
  return { ...rest, spec: { ...Object.fromEntries(notesOf(spec as object)?.empties ?? []), ...given } };
}
