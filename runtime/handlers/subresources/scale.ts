import { fieldPath } from "../../apply/fieldpath/path.ts";
import { prepareManagedSteps } from "../../apply/managed-fields/managed.ts";
import {
  parentManagedFields,
  type ReplicasPaths,
  scaleManagedFields,
} from "../../apply/managed-fields/scale-entries.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { ColumnDescriptor, Verb } from "../../contract/resource-descriptor.ts";
import { goQuote } from "../../go/quote.ts";
import { changeMeta } from "../../kinds/change-meta.ts";
import { inTurns } from "../../lib/in-turns.ts";
import type { JsonValue } from "../../lib/json-object.ts";
import { admitWritten } from "../../resource/admit.ts";
import { reportProblems, reportUnstrict } from "../../resource/decode-object.ts";
import { updateObject } from "../../resource/update-object.ts";
import type { WriteRequest } from "../../resource/write-request.ts";
import { validateFinalizerNames, validateMetadata } from "../../schema/validate-metadata.ts";
import { invalidField } from "../../values/field-errors.ts";
import { formatLabelSelector } from "../../values/format-label-selector.ts";
import { compileGetter } from "../../values/json-path.ts";
import { checkSubdomain, maskTrailingDash } from "../../values/names.ts";
import { badRequest, conflict, internalError, invalid } from "../../values/status-errors.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { getObject } from "../get.ts";
import { noteObject, notePatch } from "../note-request.ts";
import { restoring } from "../patch/apply-change.ts";
import { applyPatch, parseConfiguration, patchKindOf } from "../patch/apply-patch.ts";
import { decodePatched } from "../patch/patched-object.ts";
import { readWriteQuery, type WriteQuery } from "../query-options.ts";
import { checkIdentity, decodeBody, writeRequest } from "../write-context.ts";
import type { SubresourceContext } from "./subresource-context.ts";
import { subresourceResource } from "./subresource-resource.ts";
import { subresourceType } from "./subresource-type.ts";

type Handler = (request: ApiRequest) => Promise<Answer>;

interface Scale extends ApiObject {
  readonly spec?: { readonly replicas?: number };
}

/** The `scale` subresource: the number of replicas as autoscaling/v1 Scale. */
export function scaleHandlers(context: SubresourceContext): Partial<Record<Verb, Handler>> {
  return {
    get: async (request) => {
      const { object } = await getObject(request);
      const parent = request.resource.fromStored(object as unknown as ApiObject);
      if (isCustom(request) && !hasReplicas(request, parent)) {
        throw internalError(`the spec replicas field ${goQuote(replicasText(request))} does not exist`);
      }
      return answer(request, scaleOf(request, parent), context);
    },
    update: async (request) => {
      const query = readWriteQuery(request.query, "UpdateOptions", request.resource.metaGroup);
      const body = await readScale(request, query, context);
      checkIdentity(body, request.info);
      return writeScale(request, query, context, () => body, body.metadata.uid);
    },
    patch: async (request) => {
      const kind = patchKindOf(request.contentType);
      const isApply = kind === "apply-yaml" || kind === "apply-cbor";
      const query = readWriteQuery(request.query, "PatchOptions", request.resource.metaGroup, isApply);
      const body = await request.body();
      notePatch(request, body, kind);
      const expected = subresourceType(request, context);
      if (isApply) {
        const { configuration, problems } = parseConfiguration(body, kind);
        return writeScale(request, query, context, async (live, write) => {
          const applied = await restoring(configuration, expected, async () => {
            const merged = await context.ownership.apply(write, live, configuration, query.force === true);
            return expected.schema.canonicalize(merged, { given: true, restores: true });
          });
          reportUnstrict(problems, query.fieldValidation, request.warn);
          checkIdentity(applied, request.info);
          return applied;
        });
      }
      const scaled = subresourceResource(request, context, scaleColumns(request));
      const reading = { kind, body, resource: scaled, looksClosely: query.fieldValidation !== "Ignore" };
      return writeScale(request, query, context, (live) => {
        const outcome = applyPatch(reading, live);
        const target = { ...expected, apiVersion: "autoscaling/v1" };
        const patched = decodePatched(outcome, target, { level: query.fieldValidation, warn: request.warn });
        checkIdentity(patched, request.info);
        return patched;
      });
    },
  };
}

function answer(request: ApiRequest, scale: ApiObject, context: SubresourceContext, status = 200): Answer {
  const { schema } = subresourceType(request, context);
  return {
    type: "object",
    status,
    object: scale,
    schema,
    resource: subresourceResource(request, context, scaleColumns(request)),
  };
}

/** Kubernetes' error for a custom kind if the body is not a Scale. */
const CUSTOM_UNKNOWN =
  'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:725"';

async function readScale(request: ApiRequest, query: WriteQuery, context: SubresourceContext): Promise<ApiObject> {
  const expected = { ...subresourceType(request, context), ...(isCustom(request) && { unknown: CUSTOM_UNKNOWN }) };
  const decoded = await decodeBody(await request.body(), request.bodyFormat(), expected);
  reportProblems(decoded, query.fieldValidation, request.warn, expected.kind);
  noteObject(request, decoded.object, expected.schema);
  return decoded.object;
}

/** Derives the Scale from the object, changes it, and writes replicas and their owners back to the object. */
async function writeScale(
  request: ApiRequest,
  query: WriteQuery,
  context: SubresourceContext,
  change: (live: ApiObject, write: WriteRequest) => ApiObject | Promise<ApiObject>,
  uid?: string,
): Promise<Answer> {
  const { resource, info } = request;
  const { group, version, kind } = subresourceType(request, context);
  const write: WriteRequest = { ...writeRequest(request, query), objectKind: { group, version, kind } };
  const scaleWrite: WriteRequest = { ...write, resource: subresourceResource(request, context, scaleColumns(request)) };
  const paths = replicasPaths(request);
  const isApply = query.force !== undefined || request.contentType.startsWith("application/apply-patch");
  const result = await updateObject(
    write,
    {
      name: info.name,
      uid,
      shown: (object) => scaleOf(request, resource.fromStored(object)),
      change: async (live, isLarge) => {
        const parent = resource.fromStored(live as ApiObject);
        if (isLarge) await inTurns(prepareManagedSteps(parent.metadata.managedFields as JsonValue));
        const before = scaleOf(request, parent);
        const entries = scaleManagedFields(parent.metadata.managedFields as JsonValue, paths);
        const known = (entries as unknown[]).length > 0 ? (entries as unknown[]) : undefined;
        before.metadata = changeMeta(before.metadata, { managedFields: known });
        if (isCustom(request) && !hasReplicas(request, parent)) before.spec = { replicas: UNSET };
        const changed = (await change(before, scaleWrite)) as Scale;
        const owned = isApply
          ? changed
          : await context.ownership.update(scaleWrite, before, changed, scaleWrite.isLarge);
        const after = (await admitWritten(write, info.name, owned, before, context)) as Scale;
        if (isCustom(request)) {
          checkReplicasGiven(request, after);
        } else {
          checkScale(after, info.name, info.namespace);
          checkUid(request, after, parent);
        }
        return resource.toStored(withReplicas(request, parent, after, paths));
      },
    },
    context,
  );
  return answer(request, scaleOf(request, resource.fromStored(result.live.object)), context);
}

/** Whether the kind is a custom one, which defines the path and limits of its replicas and is therefore validated as a whole. */
function isCustom({ resource }: ApiRequest): boolean {
  return resource.descriptor.custom !== undefined;
}

function hasReplicas(request: ApiRequest, parent: ApiObject): boolean {
  return compileGetter(replicasText(request))(parent) !== undefined;
}

/** Represents missing replicas of a custom object, as in Kubernetes: a write must replace it. */
const UNSET = -(2 ** 31);

function checkReplicasGiven(request: ApiRequest, scale: Scale): void {
  if (scale.spec?.replicas === UNSET)
    throw badRequest(`the spec replicas field ${goQuote(replicasText(request))} cannot be empty`);
}

/** Throws a conflict if the uid does not match: a patch may set it. */
function checkUid({ resource, info }: ApiRequest, { metadata: { uid = "" } }: Scale, { metadata }: ApiObject): void {
  if (uid === "" || uid === metadata.uid) return;
  const { group, resource: plural } = resource.groupResource;
  const problem = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ""}`;
  throw conflict({ group, resource: `${plural}/scale` }, info.name, problem);
}

function replicasText({ subresource }: ApiRequest): string {
  return subresource?.scale?.specReplicas ?? ".spec.replicas";
}

/** `namespace` is that of the scaled object: empty if it is cluster-scoped. */
function checkScale(scale: Scale, name: string, namespace: string): void {
  const replicas = scale.spec?.replicas ?? 0;
  const errors = [
    ...validateMetadata({ ...scale.metadata, namespace }, namespace !== "", (text, isPrefix) =>
      checkSubdomain(isPrefix ? maskTrailingDash(text) : text),
    ),
    ...validateFinalizerNames(scale.metadata),
    ...(replicas < 0 ? [invalidField("spec.replicas", replicas, "must be greater than or equal to 0")] : []),
  ];
  if (errors.length > 0) throw invalid({ group: "autoscaling", kind: "Scale" }, name, errors);
}

function withReplicas(request: ApiRequest, parent: ApiObject, scale: Scale, paths: ReplicasPaths): ApiObject {
  const entries = parentManagedFields(
    parent.metadata.managedFields as JsonValue,
    scale.metadata.managedFields as JsonValue,
    paths,
    request.resource.apiVersion,
  );
  return {
    ...withNested(parent, replicasPath(request), scale.spec?.replicas ?? 0),
    metadata: changeMeta(parent.metadata, {
      managedFields: entries as unknown[],
      ...(scale.metadata.resourceVersion !== undefined && { resourceVersion: scale.metadata.resourceVersion }),
    }),
  };
}

/** Returns the object with a value set at a nested path. Copies the objects along the path. */
function withNested(object: object | undefined, [step = "", ...rest]: readonly string[], value: unknown): object {
  const inside = (object as Record<string, unknown> | undefined)?.[step];
  return { ...object, [step]: rest.length === 0 ? value : withNested(inside as object | undefined, rest, value) };
}

/** Example: `["spec", "replicas"]`. */
function replicasPath(request: ApiRequest): string[] {
  return namesIn(replicasText(request));
}

function namesIn(path: string): string[] {
  return path.split(".").filter((part) => part !== "");
}

/** The path of replicas in each version. It is the same in all versions of Kubernetes' own kinds. */
function replicasPaths(request: ApiRequest): ReplicasPaths {
  const byVersion = request.subresource?.scale?.specReplicasByVersion;
  if (byVersion !== undefined) {
    const pathOf = (text: string | null) => (text === null ? null : fieldPath(...namesIn(text)));
    return new Map(Object.entries(byVersion).map(([version, text]) => [version, pathOf(text)]));
  }
  const path = fieldPath(...replicasPath(request));
  return new Map([
    [request.resource.apiVersion, path],
    [request.resource.stored.apiVersion, path],
  ]);
}

function scaleOf({ subresource }: ApiRequest, parent: ApiObject): ApiObject {
  const paths = subresource?.scale;
  const read = (path: string | undefined): unknown => (path === undefined ? undefined : compileGetter(path)(parent));
  const replicas = Number(read(paths?.specReplicas) ?? 0);
  const selector = read(paths?.labelSelector);
  const text =
    typeof selector === "string" ? selector : formatLabelSelector((selector ?? {}) as Record<string, string>);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: changeMeta({}, { name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: Number(read(paths?.statusReplicas) ?? 0), ...(text !== "" && { selector: text }) },
  };
}

/** The Table columns of a Scale. Custom kinds have the same columns with a different format and type. */
function scaleColumns(request: ApiRequest): readonly ColumnDescriptor[] {
  return isCustom(request) ? CUSTOM_SCALE_COLUMNS : SCALE_COLUMNS;
}

const SCALE_COLUMNS: readonly ColumnDescriptor[] = [
  {
    name: "Name",
    type: "string",
    format: "",
    description: "Name of the scaled object.",
    priority: 0,
    path: ".metadata.name",
  },
  {
    name: "Desired",
    type: "integer",
    format: "",
    description: "How many replicas are wanted.",
    priority: 0,
    path: ".spec.replicas",
  },
  {
    name: "Available",
    type: "integer",
    format: "",
    description: "How many there are.",
    priority: 0,
    path: ".status.replicas",
  },
  {
    name: "Age",
    type: "string",
    format: "",
    description: "Time since the object was made.",
    priority: 0,
    path: ".metadata.creationTimestamp",
  },
];

const CUSTOM_SCALE_COLUMNS = SCALE_COLUMNS.map((column) => ({
  ...column,
  ...(column.name === "Name" && { format: "name" }),
  ...(column.name === "Age" && { type: "date" }),
}));
