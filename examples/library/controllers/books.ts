import { controller } from "typeplane/controller";
import { configMap } from "typeplane/kubernetes/core/v1";
import { book } from "../api-definitions/library/v1/book.ts";
import "../generated/resources/library.v1.ts";

/** Keeps a ConfigMap with the catalogue card of each Book. The ConfigMap is deleted with the Book, and restored if it is deleted otherwise. */
export const books = controller(book)
  .owns(configMap)
  .reconcile(async ({ metadata: { name, namespace }, spec }, { client, own, status }) => {
    const data = { title: spec.title, author: spec.author ?? "anonymous" };
    await client.of(configMap).apply(own({ metadata: { name, namespace }, data }));
    await status({ card: name });
  });
