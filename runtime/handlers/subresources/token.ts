import type { ApiObject } from "../../contract/api-object.ts";
import { notesOf } from "../../go/source-notes.ts";
import { registryKey } from "../../kinds/registry-key.ts";
import { admitMutating, admitValidating } from "../../resource/admit.ts";
import { decodeObject, reportProblems } from "../../resource/decode-object.ts";
import { withoutServerMeta } from "../../resource/object-meta.ts";
import { notFound } from "../../values/status-errors.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { noteObject } from "../note-request.ts";
import { readWriteQuery } from "../query-options.ts";
import { checkNamespaceInBody, writeRequest } from "../write-context.ts";
import type { SubresourceContext } from "./subresource-context.ts";
import { subresourceResource } from "./subresource-resource.ts";
import { subresourceType } from "./subresource-type.ts";

/** POST to `serviceaccounts/<name>/token`. */
export function tokenHandler(context: SubresourceContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, info } = request;
    const query = readWriteQuery(request.query, "CreateOptions", resource.metaGroup);
    const expected = subresourceType(request, context);
    const decoded = decodeObject(await request.body(), request.bodyFormat(), expected);
    reportProblems(decoded, query.fieldValidation, request.warn, expected.kind);
    checkNamespaceInBody(decoded.object, info.namespace);
    expected.schema.applyDefaults(decoded.object);
    noteObject(request, decoded.object, expected.schema);
    const write = { ...writeRequest(request, query), objectKind: expected };
    const owner = { ...write, resource: subresourceResource(request, context) };
    const owned = expected.schema.canonicalize(
      await context.ownership.update(owner, undefined, said(withoutServerMeta(decoded.object))),
    );
    const admitted = await admitMutating(write, "CREATE", info.name, owned, undefined, context);
    const key = registryKey(resource.stored.prefix, info.namespace, info.name);
    if ((await resource.stored.cache.get(key)) === undefined) {
      throw notFound(resource.groupResource, info.name);
    }
    const object = await context.issueToken({
      object: admitted ?? owned,
      user: request.user,
      namespace: info.namespace,
      name: info.name,
      warn: request.warn,
      annotate: request.annotate,
      admit: (final) => admitValidating(write, "CREATE", info.name, final, undefined, context),
    });
    return { type: "object", status: 201, object, schema: expected.schema, resource: owner.resource };
  };
}

/** Leaves out null fields of the spec, such as an unset reference, so that no manager owns them; empty lists are owned. */
function said({ spec = {}, ...rest }: ApiObject): ApiObject {
  const given = Object.fromEntries(Object.entries(spec as object).filter(([, value]) => value !== null));
  return { ...rest, spec: { ...Object.fromEntries(notesOf(spec as object)?.empties ?? []), ...given } };
}
