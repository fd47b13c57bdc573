import type { ResourceRequestInfo } from "../../contract/request-info.ts";
import type { MetricPolicy } from "../../release/metric-lives.ts";
import type { AppContext } from "../app-state.ts";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";

/** In seconds, of requests and of what they ask of the store. */
export const LATENCY_BOUNDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const REQUEST_LABELS = ["verb", "group", "version", "resource", "subresource", "scope"];

/** Requests in numbers, under the names Kubernetes uses; other parts add families of their own. */
export class RequestMetrics {
  readonly #total = new NumberMetric(
    "counter",
    "apiserver_request_total",
    "Requests answered, by verb, resource and code.",
    ["code", "component", "dry_run", ...REQUEST_LABELS],
  );
  readonly #latency = new Histogram(
    "apiserver_request_duration_seconds",
    "How long requests took, watches left out.",
    ["component", "dry_run", ...REQUEST_LABELS],
    LATENCY_BOUNDS,
  );
  readonly #inFlight = new NumberMetric(
    "gauge",
    "apiserver_current_inflight_requests",
    "Requests under way, by kind.",
    ["request_kind"],
  );
  readonly #longRunning = new NumberMetric(
    "gauge",
    "apiserver_longrunning_requests",
    "Watches and connections that are open.",
    ["component", ...REQUEST_LABELS],
  );
  readonly deprecated = new NumberMetric(
    "gauge",
    "apiserver_requested_deprecated_apis",
    "Deprecated versions that somebody used.",
    ["group", "version", "resource", "subresource", "removed_release"],
  );
  readonly #families: Metric[] = [this.#total, this.#latency, this.#inFlight, this.#longRunning, this.deprecated];
  readonly #collectors: (() => void | Promise<void>)[] = [];
  readonly #isServed: (info: ResourceRequestInfo) => boolean;
  readonly #policy: MetricPolicy;

  /** Requests for what is not served are counted together: strangers must not make labels. */
  constructor(isServed: (info: ResourceRequestInfo) => boolean, policy: MetricPolicy) {
    this.#isServed = isServed;
    this.#policy = policy;
  }

  add(metric: Metric): void {
    this.#families.push(metric);
  }

  /** Called before metrics are read, to bring what is not counted as it happens up to date. */
  onExpose(collect: () => void | Promise<void>): void {
    this.#collectors.push(collect);
  }

  begin(ctx: AppContext): void {
    if (ctx.state.info.verb === "watch") {
      this.#longRunning.add(1, "apiserver", ...this.#describe(ctx));
    } else {
      this.#inFlight.add(1, requestKind(ctx));
    }
  }

  end(ctx: AppContext, milliseconds: number): void {
    const labels = this.#describe(ctx);
    const dryRun = ctx.state.query.getAll("dryRun").join(",");
    if (ctx.state.info.verb === "watch") {
      this.#longRunning.add(-1, "apiserver", ...labels);
    } else {
      this.#inFlight.add(-1, requestKind(ctx));
      this.#latency.observe(milliseconds / 1000, "apiserver", dryRun, ...labels);
    }
    this.#total.add(1, String(ctx.res.statusCode), "apiserver", dryRun, ...labels);
  }

  async expose(): Promise<string> {
    for (const collect of this.#collectors) {
      await collect();
    }
    const shown = this.#families.filter(({ name }) => this.#policy.isShown(name));
    return shown.map((family) => family.expose(this.#policy.prefix(family.name))).join("");
  }

  /** verb, group, version, resource, subresource, scope */
  #describe({ state, req, method }: AppContext): RequestLabels {
    const { info } = state;
    if (!info.isResource) {
      return [method, "", "", "", subpath(info.path), ""];
    }
    if (!this.#isServed(info)) {
      return [method, "", "", "", OTHER, ""];
    }
    const isApply = info.verb === "patch" && req.headers["content-type"]?.startsWith("application/apply-patch");
    const verb = isApply ? "APPLY" : (VERB_NAMES[info.verb] ?? method);
    const scope = info.named ? "resource" : info.namespace !== "" ? "namespace" : "cluster";
    return [verb, info.group, info.version, info.resource, info.subresource, scope];
  }
}

type RequestLabels = [
  verb: string,
  group: string,
  version: string,
  resource: string,
  subresource: string,
  scope: string,
];

const OTHER = "/other";

const VERB_NAMES: Readonly<Record<string, string>> = {
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETECOLLECTION",
  get: "GET",
  list: "LIST",
  watch: "WATCH",
};

function requestKind({ state }: AppContext): string {
  return ["get", "list", "head", "options"].includes(state.info.verb) ? "readOnly" : "mutating";
}

/** Paths outside the API are few and known; what is not counts as one. */
function subpath(path: string): string {
  return /^\/(healthz|livez|readyz|version|metrics|openapi|apis?)(?=\/|$)/.exec(path)?.[0] ?? OTHER;
}
