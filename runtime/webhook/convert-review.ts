import type { ApiObject } from "../contract/api-object.ts";
import { parseApiVersion } from "../contract/group-version.ts";
import { fromStored, toStored, type WebhookKinds } from "./webhook-kinds.ts";

/** A ConversionReview of apiextensions.k8s.io/v1. */
export interface ConversionReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: {
    readonly uid?: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly ApiObject[];
  };
}

/** Responds to a review with all objects in the requested version, or with the reason why one of them cannot be converted. */
export async function reviewConversion(
  kinds: WebhookKinds,
  { apiVersion, kind, request }: ConversionReview,
): Promise<object> {
  const { uid = "", desiredAPIVersion = "", objects = [] } = request ?? {};
  const answer = (response: object): object => ({ apiVersion, kind, response: { uid, ...response } });
  try {
    const convertedObjects: object[] = [];
    for (const object of objects) convertedObjects.push(await convertObject(kinds, object, desiredAPIVersion));
    return answer({ convertedObjects, result: { status: "Success" } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return answer({ convertedObjects: [], result: { status: "Failure", message } });
  }
}

async function convertObject(kinds: WebhookKinds, object: ApiObject, desired: string): Promise<object> {
  const [source, target] = await Promise.all(
    [object.apiVersion, desired].map((apiVersion) =>
      kinds.find({ ...parseApiVersion(apiVersion ?? ""), kind: object.kind ?? "" }),
    ),
  );
  const stored = await toStored(kinds, source!, source!.schema.canonicalize(object));
  const { metadata, ...converted } = fromStored(target!, stored);
  // A conversion may change only the labels and annotations of the metadata.
  const { labels, annotations, ...kept } = object.metadata;
  const changed = { labels: metadata.labels ?? labels, annotations: metadata.annotations };
  return {
    ...converted,
    metadata: { ...kept, ...Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) },
  };
}
