import type { ApiObject } from "../contract/api-object.ts";
import type { Authorizer } from "../contract/authorization.ts";
import type { PropagationPolicy } from "../contract/object-access.ts";
import type { RequestQuery } from "../contract/request-info.ts";
import { JsonError } from "../encoding/json/json-error.ts";
import { goQuote } from "../go/quote.ts";
import { inTurns } from "../lib/in-turns.ts";
import { decodeParsedSteps } from "../resource/decode-object.ts";
import { deleteObject } from "../resource/delete-object.ts";
import { type DeleteOptions, validateDeleteOptions } from "../resource/delete-options.ts";
import { parseLargeBody } from "../resource/parse-body.ts";
import { readTypeMeta } from "../schema/type-meta.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import { invalid, plainFailure, success } from "../values/status-errors.ts";
import { type Answer, liveAnswer, storedAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { authorizeForce, settleForce } from "./force-deletion.ts";
import { noteOther } from "./note-request.ts";
import { booleanParameter, integerParameter } from "./query-options.ts";
import { type WriteContext, writeRequest } from "./write-context.ts";

export interface DeleteContext extends WriteContext {
  readonly authorizer: Authorizer;
  readonly deleteOptionsSchema: () => TypeSchema;
}

/** DELETE of one object. */
export function deleteHandler(context: DeleteContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, info } = request;
    const options = await readDeleteOptions(request, context);
    await authorizeForce(request, options, context.authorizer);
    const result = await deleteObject(deleteRequest(request, options), info.name, options, context);
    if (!result.removed || resource.stored.returnsDeleted) {
      const accepted = !result.removed && options.orphanDependents === false;
      const status = accepted ? 202 : 200;
      return result.marked === undefined
        ? storedAnswer(resource, status, result.object)
        : liveAnswer(resource, status, result.marked);
    }
    return { type: "status", status: 200, body: deletedStatus(request, result.object) };
  };
}

export function deleteRequest(request: ApiRequest, options: DeleteOptions) {
  const dryRun = (options.dryRun ?? []).length > 0;
  return writeRequest(request, {
    dryRun,
    fieldManager: "",
    options: { kind: "DeleteOptions", apiVersion: `${request.resource.metaGroup}/v1`, ...options },
  });
}

function deletedStatus({ resource }: ApiRequest, object: ApiObject) {
  const { group, resource: plural } = resource.groupResource;
  return success({
    ...(object.metadata.name && { name: object.metadata.name }),
    ...(group !== "" && { group }),
    kind: plural,
    ...(object.metadata.uid && { uid: object.metadata.uid }),
  });
}

/** Reads the options from the body or the query. The body takes precedence. */
export async function readDeleteOptions(request: ApiRequest, context: DeleteContext): Promise<DeleteOptions> {
  const body = await request.body();
  const given = body.length > 0 ? await decodeDeleteOptions(body, request, context) : optionsFromQuery(request.query);
  const options = settleForce(given, context.featureEnabled("AllowUnsafeMalformedObjectDeletion"));
  const errors = validateDeleteOptions(options);
  if (errors.length > 0) {
    throw invalid({ group: request.resource.metaGroup, kind: "DeleteOptions" }, "", errors);
  }
  return options;
}

/** Decodes options from the body. As in Kubernetes before 1.35, a failure is a 500 without a reason. */
async function decodeDeleteOptions(body: Buffer, request: ApiRequest, context: DeleteContext): Promise<DeleteOptions> {
  const format = request.bodyFormat();
  try {
    const parsed = await parseLargeBody(body, format);
    const { apiVersion, kind } = parsed.form === "message" ? parsed : readTypeMeta(parsed.value);
    if (kind !== "" && kind !== "DeleteOptions") {
      const scheme = "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27";
      throw new Error(
        `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "${scheme}"`,
      );
    }
    const schema = context.deleteOptionsSchema();
    const decoded = await inTurns(decodeParsedSteps(parsed, schema, []));
    const { kind: _kind, apiVersion: _apiVersion, ...options } = decoded;
    // Kubernetes' audit events contain the internal version, whatever the client sent.
    const shown = `${request.resource.metaGroup}/__internal`;
    noteOther(request, () => ({ kind: "DeleteOptions", apiVersion: shown, ...options }));
    return options as DeleteOptions;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isSyntax = error instanceof JsonError;
    throw plainFailure(isSyntax ? `couldn't get version/kind; json parse error: ${message}` : message);
  }
}

function optionsFromQuery(query: RequestQuery): DeleteOptions {
  const gracePeriodSeconds = integerParameter(query, "gracePeriodSeconds");
  const orphanDependents = booleanParameter(query, "orphanDependents");
  const policy = query.get("propagationPolicy");
  const force = booleanParameter(query, "ignoreStoreReadErrorWithClusterBreakingPotential");
  const dryRun = query.getAll("dryRun");
  const uid = query.get("uid") ?? "";
  const resourceVersion = query.get("resourceVersion") ?? "";
  const preconditions = { ...(uid !== "" && { uid }), ...(resourceVersion !== "" && { resourceVersion }) };
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(policy !== null && { propagationPolicy: policy as PropagationPolicy }),
    ...(dryRun.length > 0 && { dryRun }),
    ...((uid !== "" || resourceVersion !== "") && { preconditions }),
    ...(force !== undefined && { ignoreStoreReadErrorWithClusterBreakingPotential: force }),
  };
}
