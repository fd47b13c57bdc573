import { controller } from "typeplane/controller";
import { lending } from "../api-definitions/library/v1/lending.ts";
import "../generated/resources/library.v1.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Marks each Lending that is overdue, as soon as it is. */
export const lendings = controller(lending).reconcile(
  async ({ metadata, spec, status: before }, { client, events, status }) => {
    const due = Date.parse(metadata.creationTimestamp ?? "") + (spec.hours ?? 2) * HOUR_MS;
    const leftMs = due - client.clock.now();
    await status({ dueAt: new Date(due).toISOString().replace(/\.\d+/, ""), overdue: leftMs <= 0 });
    if (leftMs > 0) return { requeueAfter: leftMs };
    if (!before?.overdue) events.warning("Overdue", `${spec.reader} has not returned ${spec.book}`);
  },
);
