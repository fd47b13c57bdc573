import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { formatGroupResource } from "../contract/group-version.ts";
import type { RequestInfo, RequestQuery, ResourceRequestInfo } from "../contract/request-info.ts";
import type { MetricPolicy } from "../release/metric-lives.ts";
import { isShownAt, type MetricsPath } from "./health-metrics.ts";
import { keepSeries } from "./keep-series.ts";
import { type Distribution, Histogram, LEAST_TO_SWEEP, type Metric, NumberMetric } from "./metric.ts";

/** Bucket bounds in seconds, for requests and their store operations. */
export const LATENCY_BOUNDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const OWN_LATENCY_BOUNDS = LATENCY_BOUNDS.filter((bound) => bound >= 0.05);
/** From a kilobyte to a gigabyte. */
const SIZE_BOUNDS = Array.from({ length: 7 }, (_, power) => 10 ** (3 + power));
/** From 50 kB to 3 MB, the maximum size that is read. */
const BODY_BOUNDS = Array.from({ length: 31 }, (_, step) => 50_000 + step * 100_000);
const REQUEST_LABELS = ["verb", "group", "version", "resource", "subresource", "scope"];

/** The properties of a request that are measured. */
export interface MeasuredRequest {
  readonly req: { readonly headers: { readonly "content-type"?: string | undefined } };
  readonly res: Pick<ServerResponse, "statusCode" | "writableEnded" | "once">;
  readonly state: {
    readonly info: RequestInfo;
    /** Milliseconds spent waiting for webhooks. */
    readonly waitedMs: number;
    readonly receivedBytes: number | undefined;
    readonly sentBytes: number;
    readonly terminated: boolean;
  };
}

/** Whether a resource is served: as requested, or by its name (`deployments.apps`). */
export interface ServedResources {
  requested(resource: RequestedResource): boolean;
  named(name: string): boolean;
}

/** Metrics of requests, with the names that Kubernetes uses. Other components add their own families. */
export class RequestMetrics {
  readonly #total = new NumberMetric(
    "counter",
    "apiserver_request_total",
    "Number of requests, by verb, resource and response code.",
    ["code", "component", "dry_run", ...REQUEST_LABELS],
  );
  readonly #latency = new Histogram(
    "apiserver_request_duration_seconds",
    "Duration of requests, in seconds, without watches.",
    ["component", "dry_run", ...REQUEST_LABELS],
    LATENCY_BOUNDS,
  );
  /** The same values under the current and the former name. */
  readonly #ownLatencies = ["apiserver_request_sli_duration_seconds", "apiserver_request_slo_duration_seconds"].map(
    (name) =>
      new Histogram(
        name,
        "Duration of requests, in seconds, without watches and without the time spent in webhooks.",
        ["component", ...REQUEST_LABELS],
        OWN_LATENCY_BOUNDS,
      ),
  );
  readonly #sizes = new Histogram(
    "apiserver_response_sizes",
    "Size of responses to get and list requests, in bytes.",
    ["component", ...REQUEST_LABELS],
    SIZE_BOUNDS,
  );
  readonly #bodies = new Histogram(
    "apiserver_request_body_size_bytes",
    "Size of request bodies, in bytes.",
    ["resource", "verb"],
    BODY_BOUNDS,
  );
  readonly #terminations = new NumberMetric(
    "counter",
    "apiserver_request_terminations_total",
    "Number of requests that the server terminated because of overload or a timeout.",
    ["code", "component", ...REQUEST_LABELS],
  );
  readonly #inFlight = new NumberMetric(
    "gauge",
    "apiserver_current_inflight_requests",
    "Number of requests in flight, by type: mutating or read-only.",
    ["request_kind"],
  );
  readonly #longRunning = new NumberMetric(
    "gauge",
    "apiserver_longrunning_requests",
    "Number of open long-running requests, such as watches, by verb and resource.",
    ["component", ...REQUEST_LABELS],
  );
  readonly deprecated = new NumberMetric(
    "gauge",
    "apiserver_requested_deprecated_apis",
    "Deprecated API versions that were requested, with the release that removes them; the value is 1.",
    ["group", "version", "resource", "subresource", "removed_release"],
  );
  readonly #families: Metric[] = [
    this.#total,
    this.#latency,
    ...this.#ownLatencies,
    this.#sizes,
    this.#bodies,
    this.#terminations,
    this.#inFlight,
    this.#longRunning,
    this.deprecated,
  ];
  readonly #routes = new Map<string, RouteMeters>();
  readonly #collectors: (() => void | Promise<void>)[] = [];
  readonly #served: ServedResources;
  /** Labels of running watches: the definition of their resource may be gone when they end. */
  readonly #watches = new WeakMap<MeasuredRequest, RequestLabels>();
  #sweepAt = LEAST_TO_SWEEP;
  readonly #policy: Pick<MetricPolicy, "isShown" | "prefix">;

  /** Requests for resources that are not served share labels: clients must not be able to create labels. */
  constructor(served: ServedResources, policy: Pick<MetricPolicy, "isShown" | "prefix">) {
    this.#served = served;
    this.#policy = policy;
    for (const family of this.#byRequest()) family.retainedWhile(() => (labels) => this.#isLive(requestedOf(labels)));
    this.#bodies.retainedWhile(
      () =>
        ([name = ""]) =>
          served.named(name),
    );
  }

  get names(): readonly string[] {
    return this.#families.map(({ name }) => name);
  }

  add(metric: Metric): void {
    this.#families.push(metric);
  }

  /** Registers a function that updates metrics before they are read. */
  onExpose(collect: () => void | Promise<void>): void {
    this.#collectors.push(collect);
  }

  begin(ctx: MeasuredRequest): void {
    if (ctx.state.info.verb === "watch") {
      const labels = this.#describe(ctx);
      this.#watches.set(ctx, labels);
      this.#longRunning.add(1, ...labels);
    } else {
      this.#inFlight.add(1, requestKind(ctx));
    }
  }

  end(ctx: MeasuredRequest, milliseconds: number): void {
    const labels = this.#watches.get(ctx) ?? this.#describe(ctx);
    const { state, res } = ctx;
    const meters = this.#metersOf(dryRunOf(state.info.query), labels, state.info.verb);
    if (state.info.verb === "watch") {
      this.#longRunning.add(-1, ...labels);
    } else {
      this.#inFlight.add(-1, requestKind(ctx));
      meters.latency.observe(milliseconds / 1000);
      for (const latency of meters.ownLatencies) latency.observe((milliseconds - state.waitedMs) / 1000);
      const { sizes } = meters;
      if (sizes !== undefined) {
        // The length of a response that is compressed while it is sent is not known yet.
        if (res.writableEnded) sizes.observe(state.sentBytes);
        else res.once("close", () => sizes.observe(state.sentBytes));
      }
    }
    const { receivedBytes } = state;
    if (receivedBytes !== undefined) meters.bodies?.observe(receivedBytes);
    if (state.terminated) this.#terminations.add(1, String(res.statusCode), ...labels);
    meters.answered(res.statusCode);
  }

  /** Returns the meters for requests with these labels, which are looked up only once. */
  #metersOf(dryRun: string, labels: RequestLabels, plainVerb: string): RouteMeters {
    const key = `${dryRun}\u0000${labels.join("\u0000")}`;
    let meters = this.#routes.get(key);
    if (meters === undefined) {
      if (this.#routes.size >= this.#sweepAt) this.#sweep();
      const [component, verb, ...rest] = labels;
      const [group, , resource] = rest;
      const counters = new Map<number, { value: number }>();
      meters = {
        labels,
        latency: this.#latency.of(component, dryRun, verb, ...rest),
        ownLatencies: this.#ownLatencies
          .filter(({ name }) => this.#policy.isShown(name))
          .map((latency) => latency.of(...labels)),
        bodies: resource === "" ? undefined : this.#bodies.of(formatGroupResource({ group, resource }), plainVerb),
        sizes: verb === "GET" || verb === "LIST" ? this.#sizes.of(...labels) : undefined,
        answered: (code) => {
          let counter = counters.get(code);
          if (counter === undefined) {
            counter = this.#total.of(String(code), component, dryRun, verb, ...rest);
            counters.set(code, counter);
          }
          counter.value += 1;
        },
      };
      this.#routes.set(key, meters);
    }
    return meters;
  }

  /** Returns all exposed families in text format, or only those of one path. */
  async expose(path?: MetricsPath): Promise<Buffer> {
    // Collectors reset values that are measured between two reads of `/metrics`.
    if (path !== "/metrics/slis") for (const collect of this.#collectors) await collect();
    const shown = this.#shownAt(path);
    const parts: Buffer[] = [];
    let since = 0;
    for (const family of shown) {
      const note = this.#policy.prefix(family.name);
      for (const text of family.exposeParts?.(note) ?? [family.expose(note)]) {
        const part = Buffer.from(text);
        parts.push(part);
        since += part.length;
        if (since > MAX_TURN_BYTES) {
          await nextTurn();
          since = 0;
        }
      }
      family.sweep?.();
    }
    this.#sweep();
    return Buffer.concat(parts);
  }

  /** Resets the metrics that a path shows, and the list of deprecated versions that were requested. */
  reset(path: MetricsPath): void {
    for (const family of this.#shownAt(path)) family.reset?.();
    if (path === "/metrics") this.deprecated.clear();
  }

  #shownAt(path: MetricsPath | undefined): Metric[] {
    return this.#families.filter(
      ({ name }) => this.#policy.isShown(name) && (path === undefined || isShownAt(path, name)),
    );
  }

  /** Returns the metrics of an ended process without the series of objects that no longer exist. */
  keepLive(text: string): Promise<string> {
    const families = new Map(this.#families.map((family) => [family.name, family]));
    return keepSeries(text, (name) => families.get(name)?.liveSeries?.());
  }

  /** Drops the series of resources that are no longer served, in all families at once, because routes refer to their samples. */
  #sweep(): void {
    const names = new Set<string>();
    const isLive = (resource: RequestedResource): boolean => this.#isLive(resource);
    const before = this.#routes.size;
    for (const [key, { labels }] of this.#routes) {
      const resource = requestedOf(labels);
      if (!isLive(resource)) this.#routes.delete(key);
      else names.add(formatGroupResource(resource));
    }
    this.#sweepAt = Math.max(LEAST_TO_SWEEP, 2 * this.#routes.size);
    if (this.#routes.size === before) return;
    for (const family of this.#byRequest()) family.retain((labels) => isLive(requestedOf(labels)));
    this.#longRunning.retain((labels, { value }) => value !== 0 || isLive(requestedOf(labels)));
    this.#bodies.retain(([name = ""]) => names.has(name));
    this.deprecated.retain(([group = "", version = "", resource = "", subresource = ""]) =>
      isLive({ group, version, resource, subresource }),
    );
  }

  #byRequest(): readonly (NumberMetric | Histogram)[] {
    return [this.#total, this.#latency, ...this.#ownLatencies, this.#sizes, this.#terminations];
  }

  #isLive(resource: RequestedResource): boolean {
    return resource.resource === "" || this.#served.requested(resource);
  }

  #describe({ state, req }: MeasuredRequest): RequestLabels {
    const { info } = state;
    if (!info.isResource) {
      return ["", methodName(info.method), "", "", "", subpath(info.path), ""];
    }
    if (!this.#served.requested(info)) {
      return ["", methodName(info.method), "", "", "", OTHER, ""];
    }
    const isApply = info.verb === "patch" && req.headers["content-type"]?.startsWith("application/apply-patch");
    const verb = isApply ? "APPLY" : (VERB_NAMES.get(info.verb) ?? methodName(info.method));
    const isOne = info.named || info.verb === "create";
    const scope = isOne ? "resource" : info.namespace !== "" ? "namespace" : "cluster";
    return ["apiserver", verb, info.group, info.version, info.resource, info.subresource, scope];
  }
}

/** Bytes formatted per turn of the event loop. If every verb of every resource was used, there are many megabytes. */
const MAX_TURN_BYTES = 128 * 1024;

type RequestLabels = [
  component: string,
  verb: string,
  group: string,
  version: string,
  resource: string,
  subresource: string,
  scope: string,
];

type RequestedResource = Pick<ResourceRequestInfo, "group" | "version" | "resource" | "subresource">;

/** Returns the resource in the labels of a sample, which end with `REQUEST_LABELS`. */
function requestedOf(labels: readonly string[]): RequestedResource {
  const [group = "", version = "", resource = "", subresource = ""] = labels.slice(1 - REQUEST_LABELS.length);
  return { group, version, resource, subresource };
}

/** The samples for requests with the same labels. */
interface RouteMeters {
  readonly labels: RequestLabels;
  readonly latency: Distribution;
  readonly ownLatencies: readonly Distribution[];
  readonly bodies: Distribution | undefined;
  readonly sizes: Distribution | undefined;
  answered(code: number): void;
}

/** Returns the label for `dryRun`. Only `All` is valid; clients must not be able to create labels. */
function dryRunOf(query: RequestQuery): string {
  const values = query.getAll("dryRun");
  if (values.length === 0) return "";
  return values.every((value) => value === "All") ? "All" : "invalid";
}

const OTHER = "/other";

const VERB_NAMES: ReadonlyMap<string, string> = new Map([
  ["create", "POST"],
  ["update", "PUT"],
  ["patch", "PATCH"],
  ["delete", "DELETE"],
  ["deletecollection", "DELETECOLLECTION"],
  ["get", "GET"],
  ["list", "LIST"],
  ["watch", "WATCH"],
]);

function requestKind({ state }: MeasuredRequest): string {
  return ["get", "list", "head", "options"].includes(state.info.verb) ? "readOnly" : "mutating";
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT"]);

/** Returns the label of a method. HTTP/2 allows any method: unknown ones share a label. */
function methodName(method: string): string {
  return METHODS.has(method) ? method : "other";
}

/** Returns the label of a path outside the API. Few paths are known; all others share a label. */
function subpath(path: string): string {
  return /^\/(healthz|livez|readyz|version|metrics|openapi|apis?)(?=\/|$)/.exec(path)?.[0] ?? OTHER;
}
