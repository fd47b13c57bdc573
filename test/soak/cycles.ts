import { setTimeout } from "node:timers/promises";
import { startWebhookServer, type WebhookServer } from "../admission/webhook-server.ts";
import type { Answer } from "../tools/admin-client.ts";
import type { Stage } from "./actors.ts";

const MERGE = "application/merge-patch+json";
export const GROUP = "soak.example.com";
export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
/**
 * Number of names that definitions and webhooks use in turn, because metrics have series for each resource and each webhook. Namespaces,
 * leases and Events get new names.
 */
const NAMES_IN_TURN = 20;
/** Maximum time for a deletion, or for the first use of a new definition or webhook, on a busy machine. */
const PATIENCE_MS = 120_000;

/** Creates something, uses it, and deletes it. */
type Cycle = (step: Steps, number: number) => Promise<void>;

/** Requests of a cycle. A response with an unexpected status ends the cycle and is a failure of the run. */
interface Steps {
  readonly stage: Stage;
  request(expected: number | readonly number[], ...request: Request): Promise<Answer>;
  /** Repeats a request until it has the status. */
  until(status: number, ...request: Request): Promise<Answer>;
}

type Request = readonly [method: string, path: string, body?: object, contentType?: string];

class UnexpectedAnswer extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super("unexpected");
    this.answer = answer;
  }
}

const CYCLES: Readonly<Record<string, Cycle>> = {
  async namespace({ request, until, stage }, number) {
    const name = `soak-${number}`;
    const path = `/api/v1/namespaces/${name}`;
    await request(201, "POST", "/api/v1/namespaces", { metadata: { name } });
    const watching = stage.client.watch(
      `${path}/configmaps?watch=1&timeoutSeconds=3`,
      () => stage.done("event"),
      stage.signal,
    );
    for (const object of ["a", "b", "c"])
      await request(201, "POST", `${path}/configmaps`, { metadata: { name: object }, data: { n: String(number) } });
    await request(201, "POST", `${path}/serviceaccounts`, { metadata: { name: "robot" } });
    await request(201, "POST", `${path}/serviceaccounts/robot/token`, { spec: { expirationSeconds: 600 } });
    await request([200, 202], "DELETE", path);
    await until(404, "GET", path);
    await watching;
  },

  async definition({ request, until, stage }, number) {
    const plural = `things${number % NAMES_IN_TURN}`;
    const path = `/apis/${GROUP}/v1/namespaces/${stage.namespace}/${plural}`;
    await request(201, "POST", DEFINITIONS, definition(plural, number));
    await until(200, "GET", path);
    const watching = stage.client.watch(`${path}?watch=1&timeoutSeconds=3`, () => stage.done("event"), stage.signal);
    const kind = { apiVersion: `${GROUP}/v1`, kind: `Thing${number % NAMES_IN_TURN}` };
    for (const name of ["a", "b"]) await request(201, "POST", path, { ...kind, metadata: { name }, spec: { size: 1 } });
    await request(422, "POST", path, { ...kind, metadata: { name: "c" }, spec: { size: -1 } });
    await request(200, "PATCH", `${path}/a`, { spec: { [`field${number}`]: "x" } }, MERGE);
    await request(200, "DELETE", `${DEFINITIONS}/${plural}.${GROUP}`);
    await until(404, "GET", path);
    await until(404, "GET", `${DEFINITIONS}/${plural}.${GROUP}`);
    await watching;
  },

  async lease({ request, stage }, number) {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${stage.namespace}/leases`;
    const name = `lease-${number}`;
    await request(201, "POST", path, { metadata: { name }, spec: { holderIdentity: "a", leaseDurationSeconds: 15 } });
    for (let renewal = 0; renewal < 5; renewal++)
      await request(200, "PATCH", `${path}/${name}`, { spec: { renewTime: microTime() } }, MERGE);
    await request(200, "DELETE", `${path}/${name}`);
  },

  /** Expires by itself. */
  async expiring({ request, stage }, number) {
    const { namespace } = stage;
    await request(201, "POST", `/api/v1/namespaces/${namespace}/events`, {
      metadata: { name: `event-${number}` },
      involvedObject: { apiVersion: "v1", kind: "Namespace", name: namespace, namespace },
      reason: "Soaked",
      type: "Normal",
    });
  },
};

/** Creates and deletes webhook configurations for a server that keeps running. */
function webhookCycle({ url, caBundle, asked, replies }: WebhookServer): Cycle {
  replies["/refuse"] = () => ({ allowed: false, status: { code: 403, message: "the soak refuses it" } });
  return async ({ request, until, stage }, number) => {
    const name = `soak-${number % NAMES_IN_TURN}.example.com`;
    const path = `/api/v1/namespaces/${stage.namespace}/secrets`;
    const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["secrets"] }];
    const webhook = {
      name,
      rules,
      clientConfig: { url: `${url}/refuse`, caBundle },
      objectSelector: { matchLabels: { soak: name } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const secret = (dry: string): Request => [
      "POST",
      `${path}${dry}`,
      { metadata: { name: `secret-${number}`, labels: { soak: name } } },
    ];
    await request(201, "POST", WEBHOOKS, { metadata: { name }, webhooks: [webhook] });
    await until(403, ...secret("?dryRun=All"));
    await request(200, "DELETE", `${WEBHOOKS}/${name}`);
    await until(201, ...secret("?dryRun=All"));
    await request(201, ...secret(""));
    await request(200, "DELETE", `${path}/secret-${number}`);
    asked.length = 0;
  };
}

function definition(plural: string, number: number): object {
  const kind = plural.replace("things", "Thing");
  const rule = { rule: "self.size >= 0", message: "size must not be negative" };
  const spec = {
    type: "object",
    properties: { size: { type: "integer" }, [`field${number}`]: { type: "string", maxLength: 20 } },
    "x-kubernetes-validations": [rule],
  };
  return {
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

/**
 * Creates and deletes namespaces, definitions, leases, Events and webhooks until the end of the run: one of each type, or of those in `only`,
 * every `everyMs`.
 */
export async function comeAndGo(stage: Stage, everyMs: number, only?: readonly string[]): Promise<void> {
  const webhooks = await startWebhookServer();
  try {
    const cycles = Object.entries({ ...CYCLES, webhook: webhookCycle(webhooks) });
    const chosen = cycles.filter(([name]) => only?.includes(name) ?? true);
    await Promise.all(chosen.map(([name, cycle]) => repeat(stage, everyMs, name, cycle)));
  } finally {
    await webhooks.close();
  }
}

async function repeat(stage: Stage, everyMs: number, name: string, cycle: Cycle): Promise<void> {
  const steps = stepsOf(stage);
  for (let number = 0; !stage.signal.aborted; number++) {
    const pause = setTimeout(everyMs, undefined, { signal: stage.signal }).catch(() => undefined);
    try {
      await cycle(steps, number);
      stage.done(name);
    } catch (error) {
      if (!stage.signal.aborted)
        stage.failed(name, error instanceof UnexpectedAnswer ? error.answer : (error as Error));
    }
    await pause;
  }
}

function stepsOf(stage: Stage): Steps {
  const { client, signal } = stage;
  return {
    stage,
    async request(expected, ...request) {
      const answer = await client.request(...request);
      if (![expected].flat().includes(answer.status)) throw new UnexpectedAnswer(answer);
      return answer;
    },
    async until(status, ...request) {
      for (const end = performance.now() + PATIENCE_MS; ; ) {
        const answer = await client.request(...request);
        if (answer.status === status) return answer;
        if (signal.aborted || performance.now() > end) throw new UnexpectedAnswer(answer);
        await setTimeout(50);
      }
    },
  };
}

/** Returns the current time as a MicroTime. */
function microTime(): string {
  return new Date().toISOString().replace("Z", "000Z");
}
