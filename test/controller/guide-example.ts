import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { controller } from "../../runtime/controller.ts";
import { book } from "./library.ts";

/** The controller in docs/guides/controllers.md. A test compares it with the guide and runs it. */
export const books = controller(book)
  .owns(configMap)
  .finalizer("library.example.com/label", async ({ metadata }, { log }) => {
    log("info", `the label of ${metadata.name} was taken off`);
  })
  .reconcile(async ({ metadata, spec }, { client, events, own, owned, status }) => {
    const { namespace, name } = metadata;
    if (owned(configMap).length === 0) events.normal("Labelled", `printed a label for "${spec.title}"`);
    await client.of(configMap).apply(own({ metadata: { namespace, name }, data: { label: spec.title } }));
    await status({ observed: spec.title });
  });
