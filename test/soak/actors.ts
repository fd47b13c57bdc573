import type { AdminClient, Answer } from "../tools/admin-client.ts";

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";

/** State that actors share: the end of the run, and functions to report results. */
export interface Stage {
  readonly client: AdminClient;
  readonly namespace: string;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly done: (operation: string) => void;
  readonly failed: (operation: string, answer: Answer | Error) => void;
}

interface Operation {
  readonly name: string;
  /** Statuses that are not failures, because others change the same objects. */
  readonly expected: readonly number[];
  readonly run: (stage: Stage) => Promise<Answer>;
}

const OBJECTS = 150;

/** Returns one of a limited number of objects, so that a long run does not create more and more. */
function pick({ random }: Stage): string {
  return `object-${Math.floor(random() * OBJECTS)}`;
}

const configMaps = ({ namespace }: Stage): string => `/api/v1/namespaces/${namespace}/configmaps`;
const deployments = ({ namespace }: Stage): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

function deployment(name: string): object {
  const labels = { app: name };
  const spec = { containers: [{ name: "main", image: "example.com/web:1" }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function configMap(stage: Stage, name: string): object {
  const data = { text: "x".repeat(200 + Math.floor(stage.random() * 2000)) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { soak: name.slice(-1) } }, data };
}

const OPERATIONS: readonly Operation[] = [
  {
    name: "create",
    expected: [201, 409],
    run: (stage) => stage.client.request("POST", configMaps(stage), configMap(stage, pick(stage))),
  },
  {
    name: "update",
    expected: [200, 404, 409],
    run(stage) {
      const name = pick(stage);
      return stage.client.request("PUT", `${configMaps(stage)}/${name}`, configMap(stage, name));
    },
  },
  {
    name: "patch",
    expected: [200, 404],
    run: (stage) =>
      stage.client.request(
        "PATCH",
        `${configMaps(stage)}/${pick(stage)}`,
        { data: { n: String(stage.random()) } },
        MERGE,
      ),
  },
  {
    name: "apply",
    expected: [200, 201],
    run(stage) {
      const name = pick(stage);
      const query = "?fieldManager=soak&force=true";
      return stage.client.request("PATCH", `${deployments(stage)}/${name}${query}`, deployment(name), APPLY);
    },
  },
  {
    name: "scale",
    expected: [200, 404, 422],
    run: (stage) =>
      stage.client.request(
        "PATCH",
        `${deployments(stage)}/${pick(stage)}`,
        [{ op: "replace", path: "/spec/replicas", value: Math.floor(stage.random() * 9) }],
        JSON_PATCH,
      ),
  },
  {
    name: "delete",
    expected: [200, 404],
    run: (stage) =>
      stage.client.request("DELETE", `${stage.random() < 0.5 ? configMaps(stage) : deployments(stage)}/${pick(stage)}`),
  },
  {
    name: "get",
    expected: [200, 404],
    run: (stage) => stage.client.request("GET", `${configMaps(stage)}/${pick(stage)}`),
  },
  {
    name: "list",
    expected: [200],
    run: (stage) => stage.client.request("GET", stage.random() < 0.5 ? configMaps(stage) : deployments(stage)),
  },
  {
    name: "select",
    expected: [200],
    run: (stage) => stage.client.request("GET", `${configMaps(stage)}?labelSelector=soak=7&limit=5`),
  },
  {
    name: "discover",
    expected: [200],
    run: (stage) => stage.client.request("GET", stage.random() < 0.9 ? "/apis" : "/openapi/v3"),
  },
];

/** Maximum delay to catch up. On a busy machine, what is later than this is skipped, because it would cause another load. */
const LATEST_MS = 1000;

/**
 * Performs one action after another until the end of the run, each due `everyMs` after the previous one on average, regardless of its
 * duration. The load does not depend on the speed of the machine, so that memory at different times can be compared.
 */
export async function act(stage: Stage, everyMs: number): Promise<void> {
  let due = performance.now();
  while (!stage.signal.aborted) {
    due = Math.max(due + stage.random() * 2 * everyMs, performance.now() - LATEST_MS);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const operation = OPERATIONS[Math.floor(stage.random() * OPERATIONS.length)] as Operation;
    try {
      const answer = await operation.run(stage);
      if (operation.expected.includes(answer.status)) stage.done(operation.name);
      else stage.failed(operation.name, answer);
    } catch (error) {
      if (!stage.signal.aborted) stage.failed(operation.name, error as Error);
    }
  }
}

/** Watches for some seconds at a time until the end of the run. */
export async function observe(stage: Stage): Promise<void> {
  while (!stage.signal.aborted) {
    const seconds = 1 + Math.floor(stage.random() * 20);
    const query = `?watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}`;
    await stage.client.watch(`${configMaps(stage)}${query}`, () => stage.done("event"), stage.signal);
  }
}
