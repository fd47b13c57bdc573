import type { WebhookServer } from "../../../admission/webhook-server.ts";
import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import type { Pair } from "../compared-request.ts";
import type { StreamedKind } from "../streamed-kinds.ts";
import { CONDITIONS, randomMatch } from "./matching.ts";
import { allowing, mutatingReply, type Responder, refusing } from "./replies.ts";

const V1 = "admissionregistration.k8s.io/v1";

/** A webhook configuration for each of the servers. Its responses are already registered. */
export interface PlacedWebhooks {
  readonly path: string;
  readonly bodies: Pair<Parsed>;
}

interface Made {
  readonly parts: Parsed;
  readonly path: string;
}

function randomWebhook(random: Random, id: string, kinds: readonly StreamedKind[], path: string): Made {
  const { rules, selection } = randomMatch(random, id, kinds);
  const condition = () => ({
    name: `c${random.int(1000)}`,
    expression: random.pick(CONDITIONS.filter((each) => !each.includes("namespaceObject"))),
  });
  const parts = {
    name: `${path.slice(1).replaceAll("/", "-")}.example.com`,
    rules,
    ...selection,
    sideEffects: random.pick(
      ["None", "None", "NoneOnDryRun", "None", "Unknown"]
        .slice(0, random.chance(0.1) ? 5 : 4)
        .filter((each) => each !== "Unknown"),
    ),
    admissionReviewVersions: random.pick([["v1"], ["v1", "v1beta1"], ["v1beta1"], ["v1beta1", "v1"], ["v7", "v1"]]),
    ...(random.chance(0.8) && { failurePolicy: random.pick(["Fail", "Ignore"]) }),
    timeoutSeconds: 5,
    ...(random.chance(0.25) && { matchConditions: [condition()] }),
  };
  return { parts, path };
}

/** Returns two or three mutating webhooks and as many validating ones. Only one of them rejects requests, because several are called concurrently. */
export function webhookObjects(
  random: Random,
  id: string,
  kinds: readonly StreamedKind[],
  reviewers: Pair<WebhookServer>,
): PlacedWebhooks[] {
  const respond = (path: string, responder: Responder): void => {
    for (const { replies } of reviewers) replies[path] = responder;
  };
  const made = (prefix: string, responders: Responder[], more: () => Parsed): Made[] =>
    responders.map((responder, index) => {
      const path = `/${id}/${prefix}${index}`;
      respond(path, responder);
      const { parts } = randomWebhook(random, id, kinds, path);
      return { path, parts: { ...parts, ...more() } };
    });
  const allow: Responder = () => ({ allowed: true });
  const mutating = made("m", [mutatingReply(random), ...random.times(2, () => mutatingReply(random))], () => ({
    reinvocationPolicy: random.pick(["Never", "IfNeeded"]),
  }));
  const validating = made(
    "v",
    [random.chance(0.6) ? refusing(random) : allowing(random), ...random.times(2, () => allow)],
    () => ({}),
  );
  return [
    ...(random.chance(0.75) ? [configuration("Mutating", id, mutating, reviewers)] : []),
    ...(random.chance(0.75) ? [configuration("Validating", id, validating, reviewers)] : []),
  ];
}

/** Returns a webhook whose calls show that all others of its type are in force. */
export function markerWebhook(
  kind: "Mutating" | "Validating",
  id: string,
  reviewers: Pair<WebhookServer>,
): PlacedWebhooks {
  const path = `/marker/${id}/${kind}`;
  const operations = [{ op: "add", path: "/data", value: { hooked: id } }];
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  const response =
    kind === "Mutating"
      ? { allowed: true, patch, patchType: "JSONPatch" }
      : { allowed: true, warnings: [`hooked-${id}`] };
  for (const { replies } of reviewers) replies[path] = () => response;
  const parts = {
    name: `marker-${id}.example.com`,
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    objectSelector: { matchLabels: { marker: id } },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
  return configuration(kind, `${id}-marker`, [{ path, parts }], reviewers);
}

function configuration(
  kind: "Mutating" | "Validating",
  name: string,
  made: readonly Made[],
  reviewers: Pair<WebhookServer>,
): PlacedWebhooks {
  const bodies = reviewers.map(({ url, caBundle }) => ({
    apiVersion: V1,
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: made.map(({ path, parts }) => ({ ...parts, clientConfig: { url: `${url}${path}`, caBundle } })),
  }));
  return { path: `/apis/${V1}/${kind.toLowerCase()}webhookconfigurations`, bodies: bodies as unknown as Pair<Parsed> };
}
