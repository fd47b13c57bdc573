import type { ApiObject } from "../../contract/api-object.ts";
import { apiVersionOf } from "../../contract/group-version.ts";
import { inTurns, rest } from "../../lib/in-turns.ts";
import { reportProblems } from "../../resource/decode-object.ts";
import { dedupOwnerReferences, settleNamespace, withoutServerMeta } from "../../resource/object-meta.ts";
import type { WriteRequest } from "../../resource/write-request.ts";
import type { TypeSchema } from "../../schema/type-schema.ts";
import type { ApiRequest } from "../api-request.ts";
import { noteObject } from "../note-request.ts";
import { readWriteQuery, type WriteQuery } from "../query-options.ts";
import { decodeBody, writeRequest } from "../write-context.ts";
import type { SubresourceContext } from "./subresource-context.ts";
import { subresourceResource } from "./subresource-resource.ts";
import { subresourceType } from "./subresource-type.ts";

/** An object of the subresource's own kind (Binding, Eviction, TokenRequest) that a client posts. */
export interface PostedObject {
  /** The object as mutating admission receives it: defaulted, in the namespace of the path, with managedFields. */
  readonly object: ApiObject;
  readonly query: WriteQuery;
  readonly write: WriteRequest;
}

export interface PostedType {
  /** Older versions with the same schema. */
  readonly formerly?: readonly string[];
  /** Whether the uid and times that the client sends are kept. */
  readonly keepsServerMeta?: boolean;
  /** Selects the fields that the manager of the request owns; by default all of the object. */
  readonly owned?: (object: ApiObject) => ApiObject;
}

export async function readPosted(
  request: ApiRequest,
  context: SubresourceContext,
  { formerly, keepsServerMeta, owned = (object) => object }: PostedType = {},
): Promise<PostedObject> {
  const query = readWriteQuery(request.query, "CreateOptions", request.resource.metaGroup);
  const expected = { ...subresourceType(request, context), ...(formerly && { formerly }) };
  const decoded = await decodeBody(await request.body(), request.bodyFormat(), expected);
  reportProblems(decoded, query.fieldValidation, request.warn, expected.kind);
  const { group, version, kind, schema } = expected;
  schema.applyDefaults(decoded.object);
  noteObject(request, decoded.object, schema, apiVersionOf({ group, version: decoded.version }));
  const write: WriteRequest = { ...writeRequest(request, query), objectKind: { group, version, kind } };
  const wiped = keepsServerMeta === true ? decoded.object : withoutServerMeta(decoded.object);
  const settled = dedupOwnerReferences(settleNamespace(wiped, write), request.warn, "");
  const owner = { ...write, resource: subresourceResource(request, context) };
  if (write.isLarge) await rest();
  const kept = await context.ownership.update(owner, undefined, owned(settled), write.isLarge);
  const object = await canonical(kept, schema, write);
  return { object, query, write };
}

/** Returns an object in canonical form. A large one takes several turns of the event loop. */
export async function canonical(
  object: ApiObject,
  schema: TypeSchema<ApiObject>,
  { isLarge }: WriteRequest,
): Promise<ApiObject> {
  if (!isLarge || schema.canonicalizeSteps === undefined) return schema.canonicalize(object);
  return inTurns(schema.canonicalizeSteps(object));
}
