import { isJsonObject } from "../../lib/json-object.ts";
import { WebhookError } from "./webhook-client.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the status of the review in a webhook's response. The response may omit kind and apiVersion. Throws a WebhookError if they differ. */
export function reviewStatus(review: Fields, kind: string, apiVersion: string): Fields {
  if ((review.kind || kind) !== kind || (review.apiVersion || apiVersion) !== apiVersion)
    throw new WebhookError(`the webhook answered no ${kind} of ${apiVersion}`);
  return readFields(review, "status");
}

// Like Kubernetes, these functions treat null as absent. They throw a WebhookError for values of other types.

export function readFields(fields: Fields, name: string): Fields {
  const value = fields[name] ?? {};
  return isJsonObject(value) ? value : malformed(name);
}

export function readFlag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  return typeof value === "boolean" ? value : malformed(name);
}

export function readText(fields: Fields, name: string): string {
  const value = fields[name] ?? "";
  return typeof value === "string" ? value : malformed(name);
}

export function readTexts(fields: Fields, name: string): readonly string[] {
  const values = fields[name] ?? [];
  if (!Array.isArray(values)) return malformed(name);
  return values.map((value: unknown) => (typeof value === "string" ? value : value === null ? "" : malformed(name)));
}

function malformed(name: string): never {
  throw new WebhookError(`the field ${name} of the webhook's answer is malformed`);
}
