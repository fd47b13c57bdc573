import type { GroupResource, ObjectFeed } from "../../contract/object-access.ts";
import { nameOf } from "../policies/policy-objects.ts";
import type { Webhook, WebhookConfiguration } from "./webhook-objects.ts";

/** A webhook in its place among all of them. */
export interface RegisteredWebhook {
  readonly webhook: Webhook;
  /** Name of the configuration it is a part of. */
  readonly configuration: string;
  /** Tells it from all others. */
  readonly id: string;
}

/** Knows the webhooks: follows the stored configurations, so that asking costs nothing. */
export class WebhookIndex {
  readonly #resource: GroupResource;
  readonly #configurations = new Map<string, readonly RegisteredWebhook[]>();
  #webhooks: readonly RegisteredWebhook[] | undefined = [];

  constructor(resource: GroupResource) {
    this.#resource = resource;
  }

  /** Resolves when all webhooks are known. */
  follow(feed: ObjectFeed): Promise<() => void> {
    return feed.follow(this.#resource, ({ type, object }) => {
      const name = nameOf(object);
      if (type === "put") this.#configurations.set(name, register(object));
      else this.#configurations.delete(name);
      this.#webhooks = undefined;
    });
  }

  /** All webhooks: by the names of their configurations, within these as they are listed. */
  get webhooks(): readonly RegisteredWebhook[] {
    this.#webhooks ??= [...this.#configurations].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, hooks]) => hooks);
    return this.#webhooks;
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
