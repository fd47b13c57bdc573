import type { GroupResource, ObjectFeed } from "../../contract/object-access.ts";
import { nameOf } from "../policies/policy-objects.ts";
import type { Webhook, WebhookConfiguration } from "./webhook-objects.ts";

/** A webhook of a configuration. */
export interface RegisteredWebhook {
  readonly webhook: Webhook;
  /** Name of the configuration that contains it. */
  readonly configuration: string;
  /** Unique among all webhooks. */
  readonly id: string;
}

/** An in-memory index of webhooks, kept up to date by watching the configurations. */
export class WebhookIndex {
  readonly #resource: GroupResource;
  readonly #configurations = new Map<string, readonly RegisteredWebhook[]>();
  #webhooks: readonly RegisteredWebhook[] | undefined = [];

  constructor(resource: GroupResource) {
    this.#resource = resource;
  }

  /** Starts watching. Resolves when all existing webhooks are loaded. */
  follow(feed: ObjectFeed): Promise<() => void> {
    return feed.follow(this.#resource, ({ type, object }) => {
      const name = nameOf(object);
      if (type === "put") this.#configurations.set(name, register(object));
      else this.#configurations.delete(name);
      this.#webhooks = undefined;
    });
  }

  /** All webhooks, sorted by the names of their configurations, in the order of each configuration. */
  get webhooks(): readonly RegisteredWebhook[] {
    this.#webhooks ??= [...this.#configurations].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, hooks]) => hooks);
    return this.#webhooks;
  }

  /** Names of all webhooks. May contain duplicates. */
  get names(): readonly string[] {
    return this.webhooks.map(({ webhook }) => webhook.name);
  }
}

function register(configuration: WebhookConfiguration): RegisteredWebhook[] {
  const name = nameOf(configuration);
  return (configuration.webhooks ?? []).map((webhook, index) => ({
    webhook,
    configuration: name,
    id: `${name}/${webhook.name}/${index}`,
  }));
}
