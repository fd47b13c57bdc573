import type { Client } from "../client/client.ts";
import type { Selection } from "../client/options.ts";
import { formatGroupResource } from "../contract/group-version.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import type { Log } from "../lib/log.ts";
import { NumberMetric } from "../metrics/metric.ts";
import type { AnyInformer } from "./cache.ts";
import type { ControllerMetrics } from "./metrics.ts";

export interface SharedInformersOptions {
  readonly client: Client;
  /** Default namespace of sources; undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly log: Log;
}

/** One informer for each resource and selection, shared by all controllers. */
export class SharedInformers {
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, { readonly informer: AnyInformer; readonly name: string }>();

  constructor(options: SharedInformersOptions) {
    this.#options = options;
  }

  /** Returns the selection, with the default namespace of the manager if it names none. */
  selectionFor({ namespaced }: ResourceToken<object>, selection: Selection): Selection {
    const { namespace = this.#options.namespace, ...rest } = selection;
    return namespaced && namespace !== undefined ? { ...rest, namespace } : rest;
  }

  of(resource: ResourceToken<object>, selection: Selection): AnyInformer {
    const { client, log } = this.#options;
    const { group, version, resource: plural } = resource;
    const wanted = this.selectionFor(resource, selection);
    const { namespace, labelSelector, fieldSelector } = wanted;
    const key = JSON.stringify([group, version, plural, namespace, labelSelector, fieldSelector]);
    const known = this.#informers.get(key);
    if (known !== undefined) return known.informer;
    const name = formatGroupResource(resource);
    const informer = client.of(resource).informer({
      ...wanted,
      onError: (error) => log("warn", `informer of ${name}: ${error instanceof Error ? error.message : String(error)}`),
    }) as unknown as AnyInformer;
    this.#informers.set(key, { informer, name });
    return informer;
  }

  get all(): readonly AnyInformer[] {
    return [...this.#informers.values()].map(({ informer }) => informer);
  }

  /** Starts all informers. Resolves when each holds all objects. */
  async start(): Promise<void> {
    await Promise.all(this.all.map((informer) => informer.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((informer) => informer.stop()));
  }

  addMetrics(metrics: ControllerMetrics): void {
    const gauge = (name: string, help: string) => new NumberMetric("gauge", name, help, ["resource"]);
    const count = (name: string, help: string) => new NumberMetric("counter", name, help, ["resource"]);
    const objects = gauge("typeplane_informer_objects", "Number of objects that informers hold.");
    const queued = gauge("typeplane_informer_queued_events", "Number of events that wait for a handler.");
    const silent = gauge("typeplane_informer_silent_seconds", "Seconds since something was received.");
    const restarts = count("typeplane_informer_restarts_total", "Number of watches that were opened anew.");
    const failures = count("typeplane_informer_failures_total", "Number of lists and watches that failed.");
    const families = [objects, queued, silent, restarts, failures];
    metrics.add(objects, () => {
      for (const family of families) family.clear();
      for (const { informer, name } of this.#informers.values()) {
        const now = informer.metrics;
        objects.add(now.objects, name);
        queued.add(now.queued, name);
        silent.of(name).value = Math.max(silent.of(name).value, now.silentMs / 1000);
        restarts.add(now.restarts, name);
        failures.add(now.failures, name);
      }
    });
    for (const family of families.slice(1)) metrics.add(family);
  }
}
